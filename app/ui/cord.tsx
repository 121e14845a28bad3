import css from './cord.module.css'

export function Cord({ className = '' }: { className?: string }) {
  return (
    <div
      className={`flex items-center ${css.cord} ${className}`}
      aria-hidden="true"
    >
      <svg
        viewBox="0 0 64 24"
        width="64"
        height="24"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
      >
        <path d="M0 12h14M50 12h14" />
        <path d="M14 12c8 0 8-9 18-9s10 18 0 18-10-9-18-9" />
        <path
          d="M50 12c-8 0-8-9-18-9s-10 18 0 18 10-9 18-9"
          opacity="0.65"
        />
      </svg>
    </div>
  )
}
