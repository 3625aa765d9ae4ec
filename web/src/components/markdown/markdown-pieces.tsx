import { memo, use, useMemo } from 'react';
import { CodeBlock } from '@/components/code-block/code-block';
import { drawElements, type MarkdownElements } from './draw-elements';
import { definitionsOf, withDefinitions } from './definitions';
import { linkTarget } from './links';
import styles from './markdown.module.css';
import { completeTail } from './complete-tail';
import { MarkdownActionsContext } from './markdown-actions';
import { AnswerTable, markdownElements } from './markdown-elements';
import { PlainText } from './plain-text';
import { readMarkdown } from './read-markdown';
import { type MarkdownPiece, splitBlocks } from './split-blocks';
import { type TableRows, tableRows } from './table-rows';
import { isTame } from './tame';

/** A text to be rendered, and whether more of it will follow. */
export interface MarkdownPiecesProps {
  text: string;
  streaming: boolean;
}

// Pieces per group: a token then requires a comparison of each group and of the pieces of the last one.
const groupSize = 40;

/** The parsed answer, piece by piece. Only the piece that changed is parsed again. */
export function MarkdownPieces({ text, streaming }: MarkdownPiecesProps) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  if (streaming && pieces.length === 0) return <span className={styles.cursor} data-cursor />;
  const groups = Array.from({ length: Math.ceil(pieces.length / groupSize) }, (_, index) =>
    pieces.slice(index * groupSize, (index + 1) * groupSize),
  );
  // Pieces never change their order, only the last one grows, so their index is their identity.
  return groups.map((group, index) => (
    <PieceGroup key={index} pieces={group} growing={streaming && index === groups.length - 1} />
  ));
}

/** A piece as strings, which can be compared by value: new pieces are built for each token. */
interface FlatPiece {
  kind: MarkdownPiece['kind'];
  content: string;
  language: string;
}

function piecesOf(text: string): FlatPiece[] {
  const pieces = splitBlocks(text);
  const definitions = definitionsOf(pieces);
  return pieces.map((piece) =>
    piece.kind === 'code'
      ? { kind: piece.kind, content: piece.code, language: piece.language }
      : { kind: piece.kind, content: withDefinitions(piece.text, definitions), language: '' },
  );
}

interface PieceGroupProps {
  pieces: readonly FlatPiece[];
  /** Its last piece is the end of an answer that is still arriving. */
  growing: boolean;
}

const PieceGroup = memo(function PieceGroup({ pieces, growing }: PieceGroupProps) {
  return pieces.map((piece, index) => (
    <Piece key={index} {...piece} growing={growing && index === pieces.length - 1} />
  ));
}, sameGroup);

function sameGroup(before: PieceGroupProps, after: PieceGroupProps): boolean {
  if (before.growing !== after.growing || before.pieces.length !== after.pieces.length) return false;
  return after.pieces.every((piece, index) => {
    const old = before.pieces[index];
    return piece.kind === old?.kind && piece.content === old.content && piece.language === old.language;
  });
}

interface PieceProps extends FlatPiece {
  growing: boolean;
}

const Piece = memo(function Piece({ kind, content, language, growing }: PieceProps) {
  const { onNotice } = use(MarkdownActionsContext);
  if (kind === 'code') {
    return (
      <div className={styles.code}>
        <CodeBlock code={content} language={language} onNotice={onNotice} />
      </div>
    );
  }
  return (
    <div className={styles.piece} data-growing={growing || undefined}>
      <Prose text={content} growing={growing} />
    </div>
  );
});

const Prose = memo(function Prose({ text, growing }: { text: string; growing: boolean }) {
  const table = tableRows(text, growing);
  if (table && isTame(table.head)) return <RowTable table={table} />;
  return <Parsed text={growing ? completeTail(text) : text} elements={markdownElements} />;
});

/**
 * A table whose rows are parsed in groups: no group is too long to be parsed, however long the table is, and a
 * growing table is not parsed again with each row.
 */
function RowTable({ table }: { table: TableRows }) {
  const { head, columns, groups, definitions } = table;
  const rest = definitions === '' ? '' : `\n\n${definitions}`;
  return (
    <AnswerTable>
      <Parsed text={head + rest} elements={headElements} />
      {groups.map((rows, index) => (
        // Rows are only ever added at the end.
        <RowGroup key={index} text={`${head}\n${rows}${rest}`} rows={rows} columns={columns} />
      ))}
    </AnswerTable>
  );
}

const RowGroup = memo(function RowGroup({
  text,
  rows,
  columns,
}: Record<'text' | 'rows', string> & { columns: number }) {
  if (isTame(text)) return <Parsed text={text} elements={bodyElements} />;
  return (
    <tbody>
      <tr>
        <td colSpan={columns}>
          <PlainText text={rows} />
        </td>
      </tr>
    </tbody>
  );
});

const headElements: MarkdownElements = { ...markdownElements, table: ({ children }) => children };
const bodyElements: MarkdownElements = {
  ...markdownElements,
  table: ({ children }) => children,
  thead: () => null,
};

const Parsed = memo(function Parsed({ text, elements }: { text: string; elements: MarkdownElements }) {
  if (!isTame(text)) return <PlainText text={text} />;
  return drawElements(readMarkdown(text), { elements, urlTransform: webAddressOnly });
});

// A second check in addition to that of the components: no other scheme is passed to them.
function webAddressOnly(url: string): string {
  return linkTarget(url).kind === 'none' ? '' : url;
}
