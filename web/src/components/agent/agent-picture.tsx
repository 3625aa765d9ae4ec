import { Bot } from 'lucide-react';
import { cx } from '@/lib/cx';
import styles from './agent-picture.module.css';

interface AgentPictureProps {
  /** An address; empty for the default picture. */
  picture: string;
  /** As high as a line of text, as high as two on a card, or as a heading. */
  size?: 'small' | 'medium' | 'large';
}

const icons = { small: 14, medium: 18, large: 22 };

/** The picture of an agent. It is decorative: the name next to it says the same. */
export function AgentPicture({ picture, size = 'medium' }: AgentPictureProps) {
  const className = cx(styles.picture, styles[size]);
  if (picture !== '') return <img src={picture} alt="" className={className} />;
  return (
    <span className={className} aria-hidden="true">
      <Bot size={icons[size]} />
    </span>
  );
}
