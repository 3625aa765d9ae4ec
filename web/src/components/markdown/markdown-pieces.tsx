import { memo, use, useMemo } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

import { CodeBlock } from '../code-block';
import { linkTarget } from './links';
import styles from './markdown.module.css';
import { MarkdownActionsContext } from './markdown-actions';
import { markdownElements } from './markdown-elements';
import { mendTail } from './mend-tail';
import { PlainText } from './plain-text';
import { remarkLineBreaks } from './remark-line-breaks';
import { type MarkdownPiece, splitBlocks } from './split-blocks';
import { isTame } from './tame';

/** Props of {@link MarkdownPieces}. */
export interface MarkdownPiecesProps {
  text: string;
  streaming: boolean;
}

const plugins = [remarkGfm, remarkLineBreaks];

/** The parsed answer, piece by piece. Only the piece that changed is parsed again. */
export function MarkdownPieces({ text, streaming }: MarkdownPiecesProps) {
  const pieces = useMemo(() => splitBlocks(text), [text]);
  const last = pieces.length - 1;
  if (streaming && pieces.length === 0) return <span className={styles.cursor} data-cursor />;
  return pieces.map((piece, index) => {
    const growing = streaming && index === last;
    // Pieces never change their order, only the last one grows, so their place is their identity.
    return <Piece key={index} {...flat(piece)} growing={growing} />;
  });
}

interface PieceProps {
  kind: MarkdownPiece['kind'];
  content: string;
  language: string;
  growing: boolean;
}

// Plain strings instead of an object: memo compares them by value, and the pieces are built anew for each token.
function flat(piece: MarkdownPiece): Omit<PieceProps, 'growing'> {
  return piece.kind === 'code'
    ? { kind: piece.kind, content: piece.code, language: piece.language }
    : { kind: piece.kind, content: piece.text, language: '' };
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
      <Prose text={growing ? mendTail(content) : content} />
    </div>
  );
});

const Prose = memo(function Prose({ text }: { text: string }) {
  if (!isTame(text)) return <PlainText text={text} />;
  return (
    <ReactMarkdown remarkPlugins={plugins} components={markdownElements} urlTransform={webAddressOnly}>
      {text}
    </ReactMarkdown>
  );
});

// A second lock behind the components' own: no other scheme even reaches them.
function webAddressOnly(url: string): string {
  return linkTarget(url).kind === 'none' ? '' : url;
}
