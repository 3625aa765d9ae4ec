import { IconButton } from '@radix-ui/themes';
import { Star } from 'lucide-react';
import { Tooltip } from '@/components/tooltip/tooltip';
import { entityMenu as t } from '@/messages/entity-menu';
import styles from './favorite.module.css';

interface FavoriteStarProps {
  /** What is marked, for people who do not see where the star is. */
  name: string;
  isFavorite: boolean;
  onChange: (isFavorite: boolean) => void;
}

/** Marks something as a favorite, for this person only. */
export function FavoriteStar({ name, isFavorite, onChange }: FavoriteStarProps) {
  return (
    <Tooltip content={isFavorite ? t('favorite.remove') : t('favorite.add')}>
      <IconButton
        variant="ghost"
        color="gray"
        aria-label={t('favorite.of', { name })}
        aria-pressed={isFavorite}
        onClick={() => onChange(!isFavorite)}
      >
        <Star
          size={17}
          aria-hidden="true"
          {...(isFavorite && { fill: 'currentColor', className: styles.on ?? '' })}
        />
      </IconButton>
    </Tooltip>
  );
}
