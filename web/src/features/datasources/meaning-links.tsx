import { Heading, Text } from '@radix-ui/themes';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatNumber } from '@/lib/data-format';
import type { MeaningLink } from '@/lib/wire';
import { meaning as t } from '@/messages/meaning';
import { CorrectButton } from './correct';
import { linkEnd, linkText } from './meaning-words';
import { SaidLines } from './said-lines';
import { saidOf, type About } from './meaning-about';
import { Why } from './why';
import styles from './meaning.module.css';

/** The links of a table, and what people said about links that are not there. */
export function MeaningLinks(about: About) {
  const { meaning, table, sourceId } = about;
  const links = meaning.links.filter(
    ({ fromSource, fromTable, toSource, toTable }) =>
      (fromSource === sourceId && fromTable === table.table) ||
      (toSource === sourceId && toTable === table.table),
  );
  const said = table.columns.flatMap(({ name }) => saidOf(about, name, ({ field }) => field === 'link'));
  if (links.length === 0 && said.length === 0) return null;
  return (
    <>
      <Heading as="h3" size="2" mt="4" mb="1">
        {t('links')}
      </Heading>
      <ul className={styles.columns}>
        {links.map((link) => (
          <Link key={linkText(link)} about={about} link={link} />
        ))}
      </ul>
      <SaidLines {...about} said={said} />
    </>
  );
}

function Link({ about, link }: { about: About; link: DeepReadonly<MeaningLink> }) {
  const { sourceId, editable, saving } = about;
  const {
    cardinality,
    fromSource,
    fromTable,
    toTable,
    matched,
    distinct,
    orphans,
    isPreferred,
    from,
    reason,
  } = link;
  const says = (value: string) => ({ table: fromTable, column: from[0] ?? '', field: 'link', value });
  const named = (action: string): string => t('do.for', { column: linkText(link), action });
  const facts = [
    cardinality === '' ? '' : t(`link.${cardinality}`, { from: fromTable, to: toTable }),
    distinct > 0 ? t('link.share', { matched: formatNumber(matched), distinct: formatNumber(distinct) }) : '',
    orphans > 0 ? t('link.orphans', { count: orphans }) : '',
    isPreferred ? t('link.preferred') : '',
  ];
  return (
    <li>
      <Text as="p" size="2">
        <strong>{linkText(link)}</strong>
      </Text>
      <Text as="p" size="1" color="gray">
        {facts.filter((fact) => fact !== '').join(' ')}{' '}
        {(distinct === 0 || reason.state === 'declared') && <Why reason={reason} />}
      </Text>
      {editable && fromSource === sourceId && (
        <div className={styles.buttons}>
          <CorrectButton
            label={t('do.unlink')}
            name={named(t('do.unlink'))}
            disabled={saving}
            sourceId={sourceId}
            says={says(`-${linkEnd(link)}`)}
          />
          {!isPreferred && (
            <CorrectButton
              label={t('do.prefer')}
              name={named(t('do.prefer'))}
              disabled={saving}
              sourceId={sourceId}
              says={says(`!${linkEnd(link)}`)}
            />
          )}
        </div>
      )}
    </li>
  );
}
