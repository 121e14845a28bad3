/** Correcting a colour: another name, another picture (decision 019). */
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import Pencil from 'lucide-react/icons/pencil'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { Choices, CloseButton, dialogAround, Question } from '#app/ui/question.tsx'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { PictureField } from '#app/features/uploads/picture-field.tsx'
import { LONGEST_NAME } from './color-fields.ts'

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
  const id = useId()
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
      <BackField />
      <input type="hidden" name="intent" value="change" />
      <input type="hidden" name="id" value={color.id} />
      <input type="hidden" name="was" value={color.name} />
      <div className="field">
        <label htmlFor={id}>Name</label>
        <input
          className="input"
          id={id}
          // What another window has saved meanwhile is taken over.
          key={color.name}
          name="name"
          defaultValue={colorName(color)}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          aria-invalid={error('name') ? true : undefined}
          aria-describedby={`${id}-error`}
        />
        <p className="error" id={`${id}-error`} role="alert">
          {error('name')}
        </p>
      </div>
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
