/** Every page loads this file, so it has only this drawing. */
export function LooseKnot() {
  return (
    <svg
      viewBox="0 0 160 72"
      width="160"
      height="72"
      aria-hidden="true"
      focusable="false"
      fill="none"
    >
      {['M4 44C40 44 54 12 86 12s38 44 8 46-44-32-22-42', 'M72 16c18-8 34 4 46 18s22 10 38 10'].map(
        (d) => (
          <g key={d}>
            <path
              d={d}
              stroke="currentColor"
              strokeWidth="8"
              strokeLinecap="round"
            />
            <path
              d={d}
              stroke="var(--ground)"
              strokeWidth="5"
              strokeLinecap="round"
            />
          </g>
        ),
      )}
    </svg>
  )
}
