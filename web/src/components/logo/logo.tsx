interface LogoProps {
  /** Height and width in pixels. */
  size?: number;
}

/** The mark: a speech bubble that holds a chart. Decorative; the name is next to it. */
export function Logo({ size = 28 }: LogoProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        fill="var(--accent-9)"
        d="M7 3h18a5 5 0 0 1 5 5v11a5 5 0 0 1-5 5H14.5l-6.2 5.2A.8.8 0 0 1 7 28.6V24a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5Z"
      />
      <path
        fill="none"
        stroke="var(--accent-contrast)"
        strokeWidth="3"
        strokeLinecap="round"
        d="M10 17.500v-3M16 17.500V9.500M22 17.500v-5.500"
      />
    </svg>
  );
}
