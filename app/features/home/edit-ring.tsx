import { useEffect, useRef, type ReactNode } from 'react'
import { useFetcher } from 'react-router'
import { firstCharacter } from '#app/lib/text/first-character.ts'
import { PictureField } from '#app/features/images/image-field.tsx'
import { pictureErrorTexts } from '#app/features/images/owner-texts.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { ConfirmForm, Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { ChevronDown } from '#app/ui/icons.tsx'
import { completeSequence, sequenceFromForm } from '#app/ui/list-order.ts'
import { Picture } from '#app/ui/picture.tsx'
import { moveItem, SortableList } from '#app/ui/sortable-list.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { focusSaveButton, useStoredValues } from '#app/ui/use-stored-values.ts'
import css from './edit-home-page.module.css'
import { ringTexts as texts } from './owner-texts.ts'
import type { CircleView } from './showcase.ts'

type Props = { circles: CircleView[]; others: { id: string; title: string }[] }

export function EditRing({ circles, others }: Props) {
  const ordering = useFetcher<ActionResult>()
  const present = circles.map(({ id }) => id)
  // While the shop saves a new sequence of the circles, the page already shows this sequence. Afterwards the page shows the stored sequence. [S-104]
  const order = completeSequence(present, sequenceFromForm(ordering.formData, present))
  const shown = order.map((id) => circles.find((circle) => circle.id === id)!)
  const save = (ids: string[]) => {
    const form = new FormData()
    form.set('intent', 'order')
    for (const id of ids) form.append('order', id)
    void ordering.submit(form, { method: 'post' })
  }
  return (
    <section
      className={`card flush slim ${css.group}`}
      aria-labelledby="ring"
    >
      <h2
        id="ring"
        className={css.title}
      >
        {texts.title}
      </h2>
      <p className="soft">{shown.length > 0 ? texts.hint : texts.empty}</p>
      <SortableList
        className={`stack bare-list ${css.ring}`}
        items={shown.map((circle) => ({ ...circle, name: circle.categoryTitle }))}
        label={texts.order}
        onMove={(from, to) => save(moveItem(order, from, to))}
        render={(circle, handle, index) => (
          <CircleRow
            circle={circle}
            handle={handle}
            isLast={shown.length === 1}
          >
            <ordering.Form
              method="post"
              className="cluster"
            >
              <HiddenFields
                intent="move"
                id={circle.id}
              />
              <MoveButton
                by="up"
                title={circle.categoryTitle}
                isEnd={index === 0}
              />
              <MoveButton
                by="down"
                title={circle.categoryTitle}
                isEnd={index === shown.length - 1}
              />
            </ordering.Form>
          </CircleRow>
        )}
      />
      {others.length > 0 && <AddCircle others={others} />}
    </section>
  )
}

/** Moves a circle, for owners who cannot drag. The button works with a keyboard, a single tap or switch control, and without JavaScript. */
const MoveButton = ({ by, title, isEnd }: { by: 'up' | 'down'; title: string; isEnd: boolean }) => (
  <button
    className="button quiet"
    name="by"
    value={by}
    aria-disabled={isEnd || undefined}
    aria-label={`${texts.move[by]}: ${title}`}
  >
    {texts.move[by]}
  </button>
)

type RowProps = { circle: CircleView; handle: ReactNode; isLast: boolean; children: ReactNode }

function CircleRow({ circle, handle, isLast, children }: RowProps) {
  const removing = useFetcher<ActionResult>()
  useActionToasts(removing.data)
  const { id, title, categoryTitle, picture, isShown } = circle
  return (
    <div className={css.circle}>
      <div className={`row slim ${css.head}`}>
        {handle}
        <span
          className={`round raised in-middle rigid ${css.photo}`}
          aria-hidden
        >
          {picture ? (
            <Picture
              picture={picture}
              alt=""
              sizes="3rem"
              className="fill"
            />
          ) : (
            firstCharacter(categoryTitle)
          )}
        </span>
        {/* The title always takes two lines, so that all rows have the same height when the owner drags them. */}
        <h3 className={`slim flush two-lines ${css.name}`}>{categoryTitle}</h3>
      </div>
      <details className={`fold anchor ${css.details}`}>
        <summary
          className={`round ${css.summary}`}
          aria-label={texts.editCircle(categoryTitle)}
        >
          {texts.edit}
          <ChevronDown
            aria-hidden
            size={18}
          />
        </summary>
        <div className="stack">
          {!isShown && <p className="hint flush">{texts.unseen}</p>}
          <CircleForm
            id={id}
            title={title}
            category={categoryTitle}
          />
          <div className="cluster">
            {children}
            {!isLast && (
              <ConfirmForm
                form={removing.Form}
                fields={{ intent: 'remove-circle', id }}
                label={texts.remove}
                ariaLabel={texts.removeCircle(categoryTitle)}
                question={texts.removeQuestion(categoryTitle)}
                className="button quiet"
              />
            )}
          </div>
        </div>
      </details>
    </div>
  )
}

function CircleForm({ id, title, category }: { id: string; title: string; category: string }) {
  const fetcher = useFetcher<ActionResult>()
  const form = useRef<HTMLFormElement>(null)
  const { data, state } = fetcher
  useActionToasts(data)
  useStoredValues(form, { title })
  const isBusy = state !== 'idle'
  const errorOf = (field: string) => (data?.field === field ? data.error : undefined)
  // After a save, the form is reset. Then it shows the stored title, without surrounding spaces, and an empty file field.
  useEffect(() => {
    if (data?.ok && state === 'idle') form.current?.reset()
  }, [data, state])
  return (
    <fetcher.Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      className="stack"
      onSubmit={focusSaveButton}
    >
      <HiddenFields id={id} />
      <div
        className="stack"
        inert={isBusy}
      >
        <Field
          id={`title-${id}`}
          label={texts.circleTitle}
          name="title"
          error={errorOf('title')}
        >
          {(tied) => (
            <input
              {...tied}
              defaultValue={title}
            />
          )}
        </Field>
        <PictureField
          label={texts.picture}
          error={errorOf('file')}
          errorTexts={pictureErrorTexts}
        />
      </div>
      <div className="cluster">
        <button
          className="button"
          name="intent"
          value="save-circle"
          aria-disabled={isBusy}
          aria-label={texts.saveCircle(category)}
        >
          {isBusy ? texts.saving : texts.save}
        </button>
      </div>
    </fetcher.Form>
  )
}

function AddCircle({ others }: { others: Props['others'] }) {
  const fetcher = useFetcher<ActionResult>()
  const { data, state } = fetcher
  return (
    <fetcher.Form
      method="post"
      className={`cluster ${css.add}`}
    >
      <HiddenFields intent="add-circle" />
      <Field
        label={texts.addCategory}
        name="categoryId"
        error={data?.error}
      >
        {(tied) => (
          <select {...tied}>
            {others.map(({ id, title }) => (
              <option
                value={id}
                key={id}
              >
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button
        className="button quiet"
        aria-disabled={state !== 'idle'}
      >
        {texts.add}
      </button>
    </fetcher.Form>
  )
}
