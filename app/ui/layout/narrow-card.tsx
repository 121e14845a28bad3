import type { ReactNode, Ref } from 'react'
import { KnotMark } from './knot-mark.tsx'
import css from './narrow-card.module.css'

type Props = {
  title: string
  className?: string | undefined
  ref?: Ref<HTMLElement>
  children: ReactNode
}

export const NarrowCard = ({ title, className = '', ref, children }: Props) => (
  <main
    className={`page in-middle ${css.page}`}
    id="main"
  >
    <section
      className={`card ${css.card} ${className}`}
      ref={ref}
    >
      <KnotMark className={css.mark} />
      <h1 className={`centered-text ${css.title}`}>{title}</h1>
      {children}
    </section>
  </main>
)

export const Lead = ({ children }: { children: ReactNode }) => (
  <p className="centered-text soft">{children}</p>
)

type RefusalProps = {
  ref?: Ref<HTMLParagraphElement>
  id?: string
  error: string | undefined
  help?: string | undefined
}

/** The element is rendered even without an error, because screen readers announce only texts that appear in an existing element. [LOGIN-10] */
export const Refusal = ({ ref, id, error, help }: RefusalProps) => (
  <p
    ref={ref}
    role="alert"
    className={`strong flush ${css.error}`}
    id={id}
  >
    {error}
    {help && <small>{help}</small>}
  </p>
)
