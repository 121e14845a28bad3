import { useFetcher } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'
import { Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import type { HoldView } from './holds.server.ts'
import { holdTexts as texts } from './owner-texts.ts'
import css from './hold-form.module.css'

type Props = { item: { id: string; name: string }; hold: HoldView | undefined; action: string }

/** The form with which the owner holds an item or releases it, in the order panel. An item that is not one of a kind has no such form. [AGREE-23] */
export function HoldForm({ item, hold, action }: Props) {
  const holding = useFetcher<ActionResult>()
  const releasing = useFetcher<ActionResult>()
  useActionToasts(holding.data)
  useActionToasts(releasing.data)
  if (!hold) return null
  const { availability, holder, day, until, isAgreed } = hold
  if (availability === 'sold') return <p className={`strong flush ${css.hold}`}>{texts.sold}</p>
  if (holder)
    return <p className={`strong flush ${css.hold}`}>{texts.onHoldForOther(holder, day)}</p>
  if (isAgreed) return <p className={`strong flush ${css.hold}`}>{texts.onHold(day)}</p>
  const isPending = holding.state !== 'idle' || releasing.state !== 'idle'
  const isOnHold = availability === 'on-hold'
  return (
    <div className={css.hold}>
      {isOnHold && <p className="strong flush">{texts.onHold(day)}</p>}
      <div className={css.forms}>
        <holding.Form
          method="post"
          action={action}
          className={css.form}
        >
          <HiddenFields
            intent="hold"
            itemId={item.id}
          />
          <Field
            label={texts.until}
            name="until"
            error={isPending ? undefined : holding.data?.error}
          >
            {(tied) => (
              <input
                {...tied}
                type="date"
                key={until}
                defaultValue={until}
              />
            )}
          </Field>
          <button
            className="button quiet"
            aria-disabled={isPending}
          >
            {isOnHold ? texts.change : texts.hold}
          </button>
        </holding.Form>
        {isOnHold && (
          <releasing.Form
            method="post"
            action={action}
          >
            <HiddenFields
              intent="release"
              itemId={item.id}
            />
            <button
              className="button quiet"
              aria-disabled={isPending}
              aria-label={texts.releaseItem(item.name)}
            >
              {texts.release}
            </button>
          </releasing.Form>
        )}
      </div>
    </div>
  )
}
