import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { InputField } from '#ui/form-fields.tsx'
import type { HoldView } from './holds.server.ts'
import { holdTexts as texts } from './owner-texts.ts'
import css from './hold-form.module.css'

type HoldFormProps = {
  item: { id: string; name: string }
  hold: HoldView | undefined
  action: string
}

export function HoldForm({ item, hold, action }: HoldFormProps) {
  const form = useActionForm()
  if (!hold) return null
  const { availability, day, until } = hold
  const note = holdNote(hold)
  if (note) return <p className={`font-semibold m-0 ${css.hold}`}>{note}</p>
  const isOnHold = availability === 'on-hold'
  return (
    <div className={css.hold}>
      {isOnHold && <p className="font-semibold m-0">{texts.onHold(day)}</p>}
      <div className={css.forms}>
        <ActionForm
          form={form}
          action={action}
          className={css.form}
          fields={{ intent: 'hold', itemId: item.id }}
        >
          <InputField
            label={texts.until}
            name="until"
            type="date"
            key={until}
            defaultValue={until}
          />
          <SubmitButton className="button quiet">
            {isOnHold ? texts.change : texts.hold}
          </SubmitButton>
        </ActionForm>
        {isOnHold && (
          <ActionForm
            form={form}
            action={action}
            fields={{ intent: 'release', itemId: item.id }}
          >
            <SubmitButton
              className="button quiet"
              aria-label={texts.releaseItem(item.name)}
            >
              {texts.release}
            </SubmitButton>
          </ActionForm>
        )}
      </div>
    </div>
  )
}

function holdNote({ availability, holder, day, isAgreed }: HoldView) {
  if (availability === 'sold') return texts.sold
  if (holder) return texts.onHoldForOther(holder, day)
  return isAgreed ? texts.onHold(day) : null
}
