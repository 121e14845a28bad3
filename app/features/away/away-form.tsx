/** The owner's form over her absence. */
import { Form, useNavigation } from 'react-router'
import { BackField } from '#app/ui/back-field.tsx'
import { refusalAt, type RepliesAnswer } from '#app/features/saved-replies/replies-answer.ts'
import css from '#app/features/saved-replies/replies-page.module.css'
import type { Absence } from './away.ts'

const days = [
  ['awayFrom', 'First day'],
  ['awayUntil', 'Last day'],
] as const

/** S-185; `state` says whether customers see it. */
export function AwayForm({ absence, state, answer }: { absence: Absence; state: string; answer: RepliesAnswer | undefined }) {
  const isPending = useNavigation().formData?.get('intent') === 'away'
  const { field, error, typed } = refusalAt(answer, 'away')
  const shared = (key: keyof Absence) => ({
    id: key,
    name: key,
    className: 'input',
    defaultValue: typed?.[key] ?? absence[key],
    'aria-invalid': field === key || undefined,
    'aria-describedby': field === key ? `${key}-error` : undefined,
  })
  const refused = (key: keyof Absence) =>
    field === key && (
      <p className="error" id={`${key}-error`} role="alert">
        {error}
      </p>
    )
  return (
    <section className={`card ${css.section}`} aria-labelledby="away-title">
      <h2 id="away-title">While you are away</h2>
      <p className="soft" role="status">
        {state}
      </p>
      <Form method="post" noValidate preventScrollReset aria-busy={isPending}>
        <BackField />
        <input type="hidden" name="intent" value="away" />
        <div className={css.days}>
          {days.map(([key, label]) => (
            <div className="field" key={key}>
              <label htmlFor={key}>{label}</label>
              <input type="date" {...shared(key)} />
              {refused(key)}
            </div>
          ))}
        </div>
        <div className="field">
          <label htmlFor="awayText">Away message</label>
          <textarea rows={3} placeholder="I answer everything as soon as I am back." {...shared('awayText')} />
          {refused('awayText')}
        </div>
        <button className="button" aria-disabled={isPending}>
          Save away message
        </button>
      </Form>
    </section>
  )
}
