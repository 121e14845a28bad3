import type { ReactNode, Ref } from 'react'
import { KnotMark } from './knot-mark.tsx'
import css from './narrow-card.module.css'

type NarrowCardProps = {
  title: string
  className?: string
  ref?: Ref<HTMLElement>
  children: ReactNode
}

export const NarrowCard = ({ title, className = '', ref, children }: NarrowCardProps) => (
  <main
    className={`page grid place-items-center ${css.page}`}
    id="main"
  >
    <section
      className={`card ${css.card} ${className}`}
      ref={ref}
    >
      <KnotMark className={css.mark} />
      <h1 className={`text-center ${css.title}`}>{title}</h1>
      {children}
    </section>
  </main>
)

export const Lead = ({ children }: { children: ReactNode }) => (
  <p className="text-center text-soft">{children}</p>
)

type RefusalProps = {
  ref?: Ref<HTMLParagraphElement>
  id?: string
  error: string | undefined
  help?: string
}

/** The empty element stays when there is no error, because screen readers announce only changes. */
export const Refusal = ({ ref, id, error, help }: RefusalProps) => (
  <p
    ref={ref}
    role="alert"
    className={`font-semibold m-0 ${css.error}`}
    id={id}
  >
    {error}
    {help && <small>{help}</small>}
  </p>
)
