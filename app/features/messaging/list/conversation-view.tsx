import { href, Link, useFetcher, useSearchParams } from 'react-router'
import { useEffect, useRef, useState } from 'react'
import { MessageSquareText, Trash2 } from '#ui/owner-icons.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { ActionForm, SubmitButton, type FormState } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { customerName } from '#conversation/people.ts'
import { replyBlockedReason } from '#conversation/conversation.ts'
import { messageTexts } from '#conversation/texts.ts'
import type { OrderLine } from '#conversation/order-lines.server.ts'
import { READY_PARAMETER } from '#production-queue/queue.ts'
import { OrderPanel, type SaleUndos } from '#orders/order-panel.tsx'
import { HoldForm } from '#holds/hold-form.tsx'
import type { HoldView } from '#holds/holds.server.ts'
import { photoOf } from '#ui/profile-photo.ts'
import { Chat } from '../chat/chat.tsx'
import type { RefusedMessage } from '../chat/composer.tsx'
import type { SavedReply } from '../replies/replies.actions.server.ts'
import type { Conversation } from '../messages.server.ts'
import { conversationTexts as texts } from '../owner-texts.ts'
import css from './conversation-view.module.css'

export type ConversationViewProps = {
  conversation: Conversation
  items: OrderLine[]
  undos: SaleUndos
  hasAgreement: boolean
  holds: Record<string, HoldView>
  viewerId: string
  refused: RefusedMessage | null
  /** A text for the message field, which the owner has not sent yet. */
  prepared: string
  form: FormState
}

const refusalTexts = { closed: messageTexts.orderClosed, 'no-reply': messageTexts.noReply }

export function ConversationView(view: ConversationViewProps) {
  const { conversation, items, undos, holds, viewerId, refused, prepared } = view
  const { id, user, isClosed, fromContactPage, isAbandoned } = conversation
  const [search, setSearch] = useSearchParams()
  // Without the parameter, a reload after the message was sent does not prepare it again.
  useEffect(() => {
    if (prepared === '') return
    const params = new URLSearchParams(search)
    params.delete(READY_PARAMETER)
    setSearch(params, { replace: true, preventScrollReset: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs only once, after the first rendering
  }, [])
  const isOrderShown = search.get('view') === 'order' && !fromContactPage
  const action = href('/manage/messages/:orderid?', { orderid: id })
  const refusal = isAbandoned ? 'no-reply' : replyBlockedReason(conversation)

  return (
    <section
      className={`flex flex-col min-w-0 ${css.view}`}
      aria-labelledby="conversation-name"
      data-shows={isOrderShown ? 'order' : 'messages'}
      data-closed={isClosed || undefined}
    >
      <ConversationHead
        {...view}
        isOrderShown={isOrderShown}
        action={action}
      />
      {fromContactPage && (
        <ContactNote
          email={user.email}
          phone={conversation.phone}
        />
      )}
      {isAbandoned && <p className={`m-0 border-b ${css.note}`}>{texts.accountDeleted}</p>}
      {isOrderShown && (
        <OrderPanel
          orderId={id}
          items={items}
          undos={undos}
          isClosed={isClosed}
          mayOffer={refusal === null}
          action={action}
        >
          {(item) => (
            <HoldForm
              item={item}
              hold={holds[item.id]}
              action={action}
            />
          )}
        </OrderPanel>
      )}
      {/* A hidden field keeps its draft. */}
      <div
        className={css.messages}
        hidden={isOrderShown}
      >
        <Chat
          page={conversation}
          orderId={id}
          viewerId={viewerId}
          otherName={customerName(user)}
          emptyText={texts.empty}
          action={action}
          closedText={refusal && refusalTexts[refusal]}
          refused={refused}
          prepared={prepared}
          tools={refusal === null && <SavedReplies name={user.name} />}
        />
      </div>
    </section>
  )
}

type ConversationHeadProps = Omit<ConversationActionsProps, 'action'> & ViewChoiceProps

function ConversationHead({ isOrderShown, ...actions }: ConversationHeadProps) {
  const { user, fromContactPage, isEmailUnconfirmed } = actions.conversation
  return (
    <header className={`row border-b ${css.head}`}>
      <ProfilePhoto photoURL={user.photoURL} />
      <div className={`min-w-0 ${css.who}`}>
        <h2
          id="conversation-name"
          className="line-clamp-2"
          dir="auto"
        >
          {customerName(user)}
        </h2>
        {user.email && <p>{texts.email(user.email, isEmailUnconfirmed)}</p>}
      </div>
      {!fromContactPage && (
        <ViewChoice
          action={actions.action}
          isOrderShown={isOrderShown}
        />
      )}
      <ConversationActions {...actions} />
    </header>
  )
}

type ViewChoiceProps = { action: string; isOrderShown: boolean }

function ViewChoice({ action, isOrderShown }: ViewChoiceProps) {
  const [search] = useSearchParams()
  const views = [
    { label: texts.messages, isOrder: false },
    { label: texts.order, isOrder: true },
  ]
  return (
    <div
      className={`choices rounded-full ${css.toggle}`}
      role="group"
      aria-label={texts.show}
    >
      {views.map(({ label, isOrder }) => (
        <Link
          key={label}
          to={action + viewQuery(search, isOrder)}
          replace
          preventScrollReset
          aria-current={isOrderShown === isOrder ? 'true' : undefined}
        >
          {label}
        </Link>
      ))}
    </div>
  )
}

function viewQuery(search: URLSearchParams, isOrder: boolean) {
  const params = new URLSearchParams(search)
  params.delete('before')
  if (isOrder) params.set('view', 'order')
  else params.delete('view')
  return params.size === 0 ? '' : `?${params.toString()}`
}

type ConversationActionsProps = Pick<
  ConversationViewProps,
  'conversation' | 'hasAgreement' | 'form'
> & { action: string }

function ConversationActions({
  conversation: { unread, lastSeq, isClosed, fromContactPage },
  hasAgreement,
  form,
  action,
}: ConversationActionsProps) {
  return (
    <div className={`row ${css.acts}`}>
      <ActionForm
        form={form}
        action={action}
        className={css.read}
        fields={{ intent: 'read', seq: lastSeq }}
      >
        <SubmitButton
          className="button quiet"
          aria-disabled={unread === 0 || form.isPending}
        >
          <span className={css.capital}>{texts.markAsRead}</span>
        </SubmitButton>
      </ActionForm>
      {!fromContactPage && isClosed && (
        <ActionForm
          form={form}
          action={action}
        >
          <SubmitButton
            className="button quiet"
            name="intent"
            value="reopen"
          >
            {texts.reopen}
          </SubmitButton>
        </ActionForm>
      )}
      {!fromContactPage && !isClosed && (
        <ConfirmForm
          form={form}
          action={action}
          fields={{ intent: 'close' }}
          className={`button danger ${css.close}`}
          question={texts.closeQuestion}
          label={texts.close}
        />
      )}
      <ConfirmForm
        form={form}
        action={action}
        fields={{ intent: 'delete' }}
        question={hasAgreement ? texts.deleteAgreedQuestion : texts.deleteQuestion}
        label={<Trash2 size={20} />}
        ariaLabel={texts.delete}
      />
    </div>
  )
}

const ContactNote = ({ email, phone }: { email: string; phone: string }) => (
  <p className={`m-0 border-b ${css.note}`}>
    <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>
    {texts.fromContactPage}
    {phone && (
      <>
        {texts.phone}
        <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
      </>
    )}
  </p>
)

function SavedReplies({ name }: { name: string }) {
  const hasScript = useHydrated()
  const frame = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { load, data } = useFetcher<{ replies: SavedReply[] }>()

  useEffect(() => {
    if (!isOpen) return
    const close = ({ target }: Event) => {
      if (target instanceof Node && !frame.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('focusin', close)
    }
  }, [isOpen])

  function open() {
    if (!isOpen) void load('/manage/replies/')
    setOpen(!isOpen)
  }
  function insert(text: string) {
    setOpen(false)
    const box = frame.current?.closest('form')?.elements.namedItem('message')
    if (!(box instanceof HTMLTextAreaElement)) return
    const before = box.value.slice(0, box.selectionStart)
    const after = box.value.slice(box.selectionEnd)
    const result = insertReply(before, fillReply(text, name), after)
    box.value = result.text
    box.dispatchEvent(new Event('input', { bubbles: true }))
    box.focus()
    box.setSelectionRange(result.cursor, result.cursor)
  }

  if (!hasScript) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes the list
    <div
      className={`relative ${css.frame}`}
      ref={frame}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        setOpen(false)
        frame.current?.querySelector('button')?.focus()
      }}
    >
      <button
        type="button"
        className={`choice ${css.opener}`}
        aria-expanded={isOpen}
        onClick={open}
      >
        <MessageSquareText size={18} /> {texts.savedReplies}
      </button>
      {isOpen && (
        <ReplyList
          replies={data?.replies}
          onChoose={insert}
        />
      )}
    </div>
  )
}

type ReplyListProps = { replies: SavedReply[] | undefined; onChoose: (text: string) => void }

function ReplyList({ replies, onChoose }: ReplyListProps) {
  return (
    <div className={`card ${css.list}`}>
      {replies && replies.length > 0 && (
        <ul role="list">
          {replies.map(({ id, title, text }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => onChoose(text)}
              >
                <strong>{title}</strong>
                <span className="line-clamp-2 text-soft text-sm">{text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className={`text-sm m-0 ${css.more}`}>
        {replies?.length === 0 && texts.noReplies}
        <Link
          className="tap"
          to="/manage/replies/"
        >
          {replies?.length === 0 ? texts.firstReply : texts.editReplies}
        </Link>
      </p>
    </div>
  )
}

export function ProfilePhoto({ photoURL }: { photoURL: string }) {
  return (
    <img
      className="photo"
      src={photoOf(photoURL)}
      alt=""
      width={44}
      height={44}
      loading="lazy"
      decoding="async"
    />
  )
}

/** Without a name, "Thank you, {name}!" becomes "Thank you!". [S-184] */
export function fillReply(text: string, name: string) {
  const [first] = name.trim().split(/\s+/)
  if (first) return text.replace(/\{name\}/gi, () => first)
  return text
    .replace(/^\{name\}[,!]?[^\S\n]*(.?)/gimu, (_, next: string) => next.toUpperCase())
    .replace(/,?[^\S\n]*\{name\}/gi, '')
}

export function insertReply(before: string, reply: string, after: string) {
  const gap = before === '' || /\s$/.test(before) ? '' : '\n'
  const start = `${before}${gap}${reply}`
  return {
    text: `${start}${after === '' || /^\s/.test(after) ? '' : '\n'}${after}`,
    cursor: start.length,
  }
}
