/** One colour of the owner's grid: its name, its two marks, and what else can be done with it. */
import { Link, href, useFetcher } from 'react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Pencil, Trash2 } from '#app/ui/icons.tsx'
import type { Answer } from '#app/ui/answer.ts'
import { AskForm, Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { type Color, colorName } from '#app/features/catalog/catalog.ts'
import { Choices, CloseButton, Question, dialogAround } from '#app/ui/question.tsx'
import { PictureField } from '#app/features/images/picture-field.tsx'
import { discountTag } from '#app/features/pricing/money.ts'
import { type ColorMark, type ColorUses, LONGEST_NAME, colorMarks } from './color-fields.ts'
import css from './color-card.module.css'

export function ColorCard({ color, uses }: { color: Color; uses: ColorUses }) {
  const deleting = useFetcher<Answer>()
  return (
    <li className={`card stack ${css.card}`} data-busy={deleting.state !== 'idle' || undefined}>
      {color.picture ? (
        <Picture className={`wide ${css.swatch}`} picture={color.picture} alt="" sizes="6rem" />
      ) : (
        <div className={`wide ${css.swatch}`} />
      )}
      <h2 className={`two-lines flush ${css.name}`}>{colorName(color)}</h2>
      <div className={css.acts}>
        <ChangeColor color={color} />
        <DeleteColor color={color} uses={uses} Form={deleting.Form} />
      </div>
      <div className={`cluster ${css.marks}`}>
        <Mark color={color} mark="isAvailable" />
        <Mark color={color} mark="isLowOnStock" />
      </div>
    </li>
  )
}

/** COLOR-07, COLOR-08: written at once; while it is on its way the box shows what was asked for, afterwards what is stored (S-104). */
function Mark({ color, mark }: { color: Color; mark: ColorMark }) {
  const label = colorMarks[mark]
  const fetcher = useFetcher<Answer>()
  const isSet = fetcher.formData ? fetcher.formData.has('on') : color[mark]
  return (
    <fetcher.Form method="post" className="cluster">
      <HiddenFields intent="mark" id={color.id} mark={mark} />
      <label className={`check ${css.markLabel}`} data-warns={isSet === (mark === 'isLowOnStock') || undefined}>
        <input
          type="checkbox"
          name="on"
          aria-label={`${label} (${colorName(color)})`}
          checked={isSet}
          // At once: a box that waits for its turn jumps back for a moment.
          onChange={(event) => void fetcher.submit(event.currentTarget.form, { flushSync: true })}
        />
        {label}
      </label>
      <noscript>
        <button className="button quiet">Save</button>
      </noscript>
    </fetcher.Form>
  )
}

export function ChangeColor({ color }: { color: Color }) {
  const name = colorName(color)
  return (
    <Question
      label={<Pencil size={20} aria-hidden />}
      className="icon-button"
      ariaLabel={`Edit ${name}`}
      question={`Edit the color ${name}`}
    >
      {(dialogId) => <ChangeForm color={color} dialogId={dialogId} />}
    </Question>
  )
}

function ChangeForm({ color, dialogId }: { color: Color; dialogId: string }) {
  const fetcher = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const { data, state } = fetcher
  const error = (field: string) => (data?.field === field ? data.error : undefined)
  // The dialog belongs to the browser; a file field keeps its file until the document's form is reset.
  useEffect(() => {
    if (!data?.ok) return
    form.current?.reset()
    if (form.current) dialogAround(form.current)?.close()
  }, [data])
  // Whoever gives up finds the stored name the next time, and no refusal of an earlier try.
  const giveUp = useEffectEvent(() => {
    form.current?.reset()
    fetcher.reset()
  })
  useEffect(() => {
    const dialog = form.current && dialogAround(form.current)
    dialog?.addEventListener('close', giveUp)
    return () => dialog?.removeEventListener('close', giveUp)
  }, [])
  return (
    <fetcher.Form ref={form} method="post" encType="multipart/form-data">
      <HiddenFields intent="change" id={color.id} was={color.name} />
      {/* What another window has saved meanwhile is taken over. */}
      <Field label="Name" name="name" error={error('name')} key={color.name}>
        {(tied) => <input {...tied} defaultValue={colorName(color)} maxLength={LONGEST_NAME} autoComplete="off" />}
      </Field>
      <div className="field">
        <PictureField label="Another image" error={error('file')} />
      </div>
      <Choices>
        <button className="button" aria-disabled={state !== 'idle'}>
          {state === 'idle' ? 'Save' : 'Saving…'}
        </button>
        <CloseButton dialogId={dialogId}>Cancel</CloseButton>
      </Choices>
    </fetcher.Form>
  )
}

type Props = { color: Color; uses: ColorUses; Form: ReturnType<typeof useFetcher>['Form'] }

export function DeleteColor({ color, uses, Form }: Props) {
  const name = colorName(color)
  return (
    <AskForm
      form={Form}
      fields={{ intent: 'delete', id: color.id }}
      label={<Trash2 size={20} aria-hidden />}
      className="icon-button"
      ariaLabel={`Delete ${name}`}
      question={`Delete the color ${name}?`}
    >
      <Uses uses={uses} />
      {color.discount && <p>{`It is marked ${discountTag(color.discount)}; that goes with it.`}</p>}
    </AskForm>
  )
}

function Uses({ uses }: { uses: ColorUses }) {
  if (uses.count === 0) return <p>No piece uses it.</p>
  const more = uses.count - uses.first.length
  return (
    <>
      <p>{`Used by ${uses.count === 1 ? '1 piece' : `${uses.count} pieces`}. Their pages will no longer show it:`}</p>
      <ul role="list">
        {uses.first.map((use) => (
          <li key={use.id}>
            <Link className="tap" to={href('/manage/item/:itemid?', { itemid: use.id })}>
              {use.name}
            </Link>
          </li>
        ))}
        {more > 0 && <li>{`and ${more} more`}</li>}
      </ul>
    </>
  )
}
