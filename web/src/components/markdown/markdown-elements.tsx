import { ExternalLink, ImageOff } from 'lucide-react';
import { isValidElement, type ReactNode, use } from 'react';
import { CodeBlock } from '@/components/code-block/code-block';
import { MarkedText } from '@/components/code-block/marked-text';
import { transcript as t } from '@/messages/transcript';
import type { MarkdownElements } from './draw-elements';
import { figurePlace } from './figure-links';
import { linkTarget, ownImage } from './links';
import styles from './markdown.module.css';
import { MarkdownActionsContext } from './markdown-actions';

/** How the elements of an answer are drawn. */
export const markdownElements: MarkdownElements = {
  a: ({ href, children }) => <AnswerLink href={href}>{children}</AnswerLink>,
  img: ({ src, alt }) => <AnswerImage source={src} alt={alt ?? ''} />,
  h1: ({ children }) => <AnswerHeading depth={1}>{children}</AnswerHeading>,
  h2: ({ children }) => <AnswerHeading depth={2}>{children}</AnswerHeading>,
  h3: ({ children }) => <AnswerHeading depth={3}>{children}</AnswerHeading>,
  h4: ({ children }) => <AnswerHeading depth={4}>{children}</AnswerHeading>,
  h5: ({ children }) => <AnswerHeading depth={5}>{children}</AnswerHeading>,
  h6: ({ children }) => <AnswerHeading depth={6}>{children}</AnswerHeading>,
  pre: ({ children }) => <AnswerCode>{children}</AnswerCode>,
  table: ({ children }) => <AnswerTable>{children}</AnswerTable>,
};

const headings = ['h3', 'h4', 'h5', 'h6'] as const;

/**
 * The page has two heading levels above an answer: the first heading of the answer is always shown at the third
 * level.
 */
function AnswerHeading({ depth, children }: { depth: number; children: ReactNode }) {
  const { firstHeading = depth } = use(MarkdownActionsContext);
  const Heading = headings[Math.min(3, Math.max(0, depth - firstHeading))] ?? 'h6';
  return <Heading>{children}</Heading>;
}

/** The scrolling frame of a table. */
export function AnswerTable({ children }: { children: ReactNode }) {
  return (
    // What scrolls must be reachable by keyboard, or its hidden part is not.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <div className={styles.table} role="group" aria-label={t('table')} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

function AnswerLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const { onForeignLink, onNavigate, renderFigure } = use(MarkdownActionsContext);
  const text = plainText(children);
  const figure = figurePlace(href);
  if (figure !== null) return <>{renderFigure === undefined ? children : renderFigure(figure, text)}</>;
  const target = linkTarget(href);

  if (target.kind === 'own') {
    return (
      <a
        className={styles.link}
        href={target.path}
        onClick={(event) => {
          if (onNavigate === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onNavigate(target.path);
        }}
      >
        {children}
      </a>
    );
  }
  if (target.kind === 'none') return <span>{children}</span>;
  if (onForeignLink === undefined) {
    return (
      <span>
        {children} <span className={styles.host}>{target.host}</span>
      </span>
    );
  }
  return (
    // A button, not an anchor: there is no address that a middle click or a prefetch could follow.
    <button
      type="button"
      role="link"
      className={styles.link}
      title={target.url}
      onClick={() => {
        onForeignLink({ url: target.url, host: target.host, text });
      }}
    >
      <bdi>{children}</bdi>
      {!namesHost(text, target.host) && <bdi className={styles.host}>{target.host}</bdi>}
      <ExternalLink size={11} aria-hidden className={styles.leaving} />
    </button>
  );
}

/** True if the visible text is the address itself, so that the host need not be repeated. */
function namesHost(text: string, host: string): boolean {
  const address = text.trim().replace(/^https?:\/\//u, '');
  return address === host || address.startsWith(`${host}/`);
}

function AnswerImage({ source, alt }: { source: string | undefined; alt: string }) {
  const own = ownImage(source);
  if (own !== null)
    return <img className={styles.image} src={own} alt={alt} loading="lazy" decoding="async" />;
  return (
    <span
      className={styles.blocked}
      role="img"
      aria-label={alt === '' ? t('image.hidden') : t('image.hiddenNamed', { name: alt })}
    >
      <ImageOff size={13} aria-hidden />
      {alt === '' ? t('image.outside') : <MarkedText text={alt} />}
    </span>
  );
}

/** Fenced code inside a list or a quote. */
function AnswerCode({ children }: { children: ReactNode }) {
  const { onNotice } = use(MarkdownActionsContext);
  const props = isValidElement<{ className?: string; children?: ReactNode }>(children)
    ? children.props
    : null;
  const language = /language-(\S+)/u.exec(props?.className ?? '')?.[1];
  const code = plainText(props?.children ?? children).replace(/\n$/u, '');
  return <CodeBlock code={code} language={language} onNotice={onNotice} />;
}

function plainText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map((child: ReactNode) => plainText(child)).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? plainText(node.props.children) : '';
}
