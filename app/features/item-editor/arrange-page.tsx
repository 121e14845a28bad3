import { useId, useState } from 'react'
import { Link, useFetcher } from 'react-router'
import { ConfirmForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { moveItem, SortableList } from '#app/ui/sortable-list.tsx'
import type { Arrangement } from './arrange-items.server.ts'
import { MAX_ARRANGED, orderAfterMove, withOrderOf } from './arrange-items.ts'
import { arrangeTexts as texts } from './arrange-texts.ts'
import css from './arrange-page.module.css'

export function ArrangePage({ pieces, categories, categoryId, isCut, isArranged }: Arrangement) {
  const ordering = useFetcher()
  const present = pieces.map(({ id }) => id)
  // While the shop saves a new sequence of the items, the page already shows this sequence.
  const order = withOrderOf(present, arrangementFromForm(ordering.formData, present))
  const shown = order.map((id) => pieces.find((piece) => piece.id === id)!)
  const save = (next: string[]) => {
    const form = new FormData()
    form.set('intent', 'order')
    for (const id of next) form.append('order', id)
    void ordering.submit(form, { method: 'post' })
  }
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      <div className={`cluster ${css.top}`}>
        <nav aria-label={texts.categories}>
          <ul
            role="list"
            className="choices"
          >
            {[{ id: null, title: texts.all }, ...categories].map(({ id, title }) => (
              <li key={id}>
                <Link
                  to={id === null ? '?' : `?category=${encodeURIComponent(id)}`}
                  aria-current={id === categoryId ? 'true' : undefined}
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {isArranged && (
          <ConfirmForm
            form={ordering.Form}
            fields={{ intent: 'newest-first' }}
            className="button quiet"
            label={texts.newestFirst}
            question={texts.newestFirstQuestion}
            isPending={ordering.state !== 'idle'}
          />
        )}
      </div>
      {isCut && <p className="soft">{texts.isCut(MAX_ARRANGED)}</p>}
      {shown.length === 0 && (
        <>
          <p className="soft">{texts.none}</p>
          <Link
            className="button"
            to="/manage/item/"
          >
            {texts.add}
          </Link>
        </>
      )}
      <SortableList
        className={`bare-list stack ${css.list}`}
        entryClassName={`card ${css.entry}`}
        label={texts.order}
        items={shown}
        onMove={(from, to) => save(moveItem(order, from, to))}
        render={({ id, name, image }, handle, index) => (
          <div className="row">
            {handle}
            {image === null ? (
              <span className="photo" />
            ) : (
              <img
                className="photo"
                src={image}
                alt=""
                loading="lazy"
                decoding="async"
              />
            )}
            <span className={`two-lines slim ${css.name}`}>{name}</span>
            <ordering.Form
              method="post"
              className={css.move}
            >
              <HiddenFields
                intent="move"
                id={id}
                category={categoryId}
              />
              <PlaceField
                name={name}
                place={index + 1}
              />
            </ordering.Form>
          </div>
        )}
      />
    </main>
  )
}

/** This field is for owners who cannot drag. When the owner presses Enter or leaves the field, the item moves to the typed place. */
function PlaceField({ name, place }: { name: string; place: number }) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const isRefused = typed !== null && typed === refused
  return (
    <>
      <input
        className={`input tabular ${css.place}`}
        name="to"
        inputMode="numeric"
        autoComplete="off"
        required
        pattern="0*[1-9][0-9]{0,8}"
        title={texts.placeHint}
        aria-label={texts.place(name)}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? id : undefined}
        value={typed ?? String(place)}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setTyped(null)}
        // React calls this when the browser refuses to send the form, and when onBlur checks the field.
        onInvalid={(event) => {
          event.preventDefault()
          setRefused(typed)
        }}
        onBlur={(event) => {
          if (typed === null || !event.currentTarget.checkValidity()) return
          if (Number(typed) !== place) event.currentTarget.form?.requestSubmit()
          setTyped(null)
        }}
      />
      {isRefused && (
        <p
          className="error"
          id={id}
          role="alert"
        >
          {texts.placeHint}
        </p>
      )}
    </>
  )
}

function arrangementFromForm(form: FormData | undefined, present: string[]): string[] {
  if (form?.get('intent') === 'move')
    return orderAfterMove(present, String(form.get('id')), Number(form.get('to'))) ?? present
  return form?.getAll('order').map(String) ?? present
}
