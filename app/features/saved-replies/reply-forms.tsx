/** The owner's list of saved replies, each a form of its own, and the one for a new one. */
import { useId } from 'react'
import { Form, useNavigation } from 'react-router'
import { Plus, Trash2 } from 'lucide-react'
import { Ask } from '#app/ui/ask.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { refusalAt, type RepliesAnswer } from './replies-answer.ts'
import type { SavedReply } from './saved-reply.ts'
import css from './replies-page.module.css'

type Props = { replies: SavedReply[]; answer: RepliesAnswer | undefined }

/** S-184 */
export function ReplyForms({ replies, answer }: Props) {
  return (
    <section className={`card ${css.section}`} aria-labelledby="replies-title">
      <h2 id="replies-title">Saved replies</h2>
      <p className="soft">
        What you write again and again. In a conversation, “Saved replies” puts one into your message. <code>{'{name}'}</code> becomes the
        customer's first name.
      </p>
      <ul role="list" className={css.replies}>
        {replies.map((reply) => (
          <li key={reply.id}>
            <ReplyForm reply={reply} answer={answer} />
          </li>
        ))}
      </ul>
      {/* A new reply in the list: the form for the next one is empty again. */}
      <ReplyForm key={replies.map(({ id }) => id).join()} answer={answer} isOpen={replies.length === 0} />
    </section>
  )
}

function ReplyForm({ reply, answer, isOpen = false }: { reply?: SavedReply; answer: RepliesAnswer | undefined; isOpen?: boolean }) {
  const id = useId()
  const sending = useNavigation().formData
  const intent = reply ? 'change' : 'add'
  const isPending = sending?.get('intent') === intent && (!reply || sending.get('id') === reply.id)
  const { field, error, typed } = refusalAt(answer, reply?.id ?? 'add')
  const shared = (name: 'title' | 'text') => ({
    id: `${id}-${name}`,
    name,
    className: 'input',
    defaultValue: typed?.[name] ?? reply?.[name] ?? '',
    'aria-invalid': field === name || undefined,
    'aria-describedby': field === name ? `${id}-error` : undefined,
  })
  const refused = (name: string) =>
    field === name && (
      <p className="error" id={`${id}-error`} role="alert">
        {error}
      </p>
    )
  return (
    <details className={css.reply} open={isOpen || field !== undefined || undefined}>
      <summary>
        {reply ? (
          <span className={css.name}>
            <strong>{reply.title}</strong> <span className="soft">{reply.text}</span>
          </span>
        ) : (
          <>
            <Plus size={20} aria-hidden /> <strong>Add a reply</strong>
          </>
        )}
      </summary>
      <Form method="post" noValidate preventScrollReset aria-busy={isPending}>
        <BackField />
        <input type="hidden" name="intent" value={intent} />
        {reply && <input type="hidden" name="id" value={reply.id} />}
        <div className="field">
          <label htmlFor={`${id}-title`}>Name</label>
          <input {...shared('title')} autoComplete="off" />
          {refused('title')}
        </div>
        <div className="field">
          <label htmlFor={`${id}-text`}>Reply</label>
          <textarea {...shared('text')} rows={4} />
          {refused('text')}
        </div>
        <button className="button" aria-disabled={isPending}>
          {reply ? 'Save' : 'Add'}
        </button>
      </Form>
      {reply && (
        <Ask label={<Trash2 size={20} aria-hidden />} ariaLabel={`Delete ${reply.title}`} question={`Delete the reply “${reply.title}”?`}>
          {(yesNo) => (
            <Form method="post" preventScrollReset>
              <BackField />
              <input type="hidden" name="intent" value="delete" />
              <input type="hidden" name="id" value={reply.id} />
              {yesNo}
            </Form>
          )}
        </Ask>
      )}
    </details>
  )
}
