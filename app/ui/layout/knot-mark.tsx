import { createContext, useContext } from 'react'

export const LogoContext = createContext('')

export function KnotMark({ className }: { className?: string }) {
  const logo = useContext(LogoContext)
  if (logo) {
    return (
      <img
        className={className}
        src={logo}
        alt=""
        style={{ borderRadius: '22%' }}
      />
    )
  }
  return (
    <svg
      className={className}
      viewBox="0 0 40 40"
      fill="none"
      strokeLinecap="round"
      strokeWidth="3.2"
      aria-hidden="true"
    >
      <path
        d="M15 3v9M25 3v9M15 28v9M25 28v9"
        stroke="currentColor"
        opacity="0.55"
      />
      <path
        d="M4 12c9 0 20 1 22 7 1.5 5-4 9-22 9"
        stroke="var(--accent)"
      />
      <path
        d="M36 12c-9 0-20 1-22 7-1.5 5 4 9 22 9"
        stroke="var(--second)"
      />
      <path
        d="M17.5 14.5c3 0 7 1.5 8.300 4"
        stroke="var(--accent)"
      />
    </svg>
  )
}
