import { href, Link, useLocation, useNavigationType } from 'react-router'
import type { Role } from '#services/context.ts'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { newId15 } from '#lib/text/ids.ts'
import { colorName, type Item } from '#catalog/catalog.ts'
import { imageWithColor } from '#catalog/selected-image.ts'
import { discountedPrice } from '#pricing/money.ts'
import { useMoney } from '#pricing/use-money.ts'
import { Thumbnail } from '#ui/thumbnail.tsx'
import { loginPath } from '#ui/link-props.ts'
import type { ActionResult } from '#ui/action-result.ts'
import { ActionForm, useActionForm } from '#ui/action-form.tsx'
import { lazyComponent } from '#ui/lazy-component.tsx'
import { InputField, SelectField, TextareaField } from '#ui/form-fields.tsx'
import { showToast } from '#ui/toasts.tsx'
import { withPanel } from '#ui/message-panel-url.ts'
import type { RequestState } from './order-request.server.ts'
import { MAX_MESSAGE_LENGTH } from '#conversation/message.ts'
import { messageTexts } from '#conversation/texts.ts'
import { requestStateTexts, requestTexts } from './texts.ts'
import css from './order-request-form.module.css'
import { checkConnectivity, connectivity } from '#client/connectivity.ts'
import { saveDraft, onDraftsDeleted, useStoredDraft } from '#client/drafts.ts'

const SentNote = lazyComponent(async () => (await import('./sent-note.tsx')).SentNote)

const GuestNote = lazyComponent(
  async () => (await import('#conversation/guest-note.tsx')).GuestNote,
)

type OrderRequestFormProps = {
  item: Pick<Item, 'id' | 'name' | 'kind' | 'images' | 'priceCents' | 'discount'>
  viewer: 'visitor' | Role
  userId: string | null
  asksName: boolean
  requestState: RequestState
  requestedColor: string
  colors: readonly { id: string; name: string }[]
  colorId: string | null
  /** the color in the URL, of which the piece may have no picture */
  linkedColorId: string | null
  steps: string[]
  away: string
}

const draftKey = (itemId: string) => `item ${itemId}`

export function OrderRequestForm(props: OrderRequestFormProps) {
  const { item, viewer, asksName, requestState, away } = props
  const id = useId()
  const [color, setColor] = useSelectedColor(props)
  const isUsable = viewer === 'guest' || viewer === 'customer'
  const request = useOrderRequest(props, isUsable)
  const { form, error } = request
  return (
    <section
      className={`card ${css.box}`}
      id="order-request"
      ref={useFocusWhenLinked()}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
    >
      <h2 id={`${id}-title`}>{requestTexts.title}</h2>
      {viewer === 'guest' && !request.isSent && <GuestNote className="notice" />}
      {request.isSent && isUsable ? (
        <SentNote
          away={away}
          isGuest={viewer === 'guest'}
          onAnother={request.writeAnother}
        />
      ) : (
        <ActionForm
          form={form}
          action="/order-request"
          fields={{ itemId: item.id, writer: request.writer }}
          data-queued
          onInput={request.forgetMessageId}
          onSubmit={request.submit}
        >
          <Introduction
            {...props}
            color={color}
          />
          <OrderStateNote
            requestState={requestState}
            isShown={isUsable}
          />
          <p
            className="hint"
            id={`${id}-hint`}
          >
            {requestTexts.hint}
          </p>
          {isUsable && asksName && (
            <InputField
              id={`${id}-name`}
              name="name"
              label={requestTexts.name}
              autoComplete="name"
            />
          )}
          {isUsable && (
            <ColorFields
              {...props}
              id={`${id}-color`}
              color={color}
              onChange={setColor}
            />
          )}
          <MessageField
            id={id}
            request={request}
            isUsable={isUsable}
          />
          <RequestButton
            viewer={viewer}
            itemId={item.id}
            color={color}
            error={error}
            isPending={form.isPending}
          />
        </ActionForm>
      )}
    </section>
  )
}

/** The router cannot scroll to a form whose code loads after the navigation. */
function useFocusWhenLinked() {
  const box = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  const isLinked = useNavigationType() !== 'POP' && hash === '#order-request'
  useEffect(() => {
    if (!isLinked) return
    box.current?.scrollIntoView()
    box.current?.focus({ preventScroll: true })
  }, [isLinked])
  return box
}

type IntroductionProps = Pick<OrderRequestFormProps, 'item' | 'colors' | 'steps' | 'away'> & {
  color: string
}

function Introduction({ item, colors, steps, away, color: colorId }: IntroductionProps) {
  const { name, images, priceCents, discount } = item
  const money = useMoney()
  const color = colors.find(({ id }) => id === colorId)
  const index = color ? imageWithColor(images, color.id) : 0
  return (
    <>
      {steps.length > 0 && (
        <ol className={`text-sm ${css.steps}`}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {away && <p className="notice">{away}</p>}
      <div className={`flex items-center gap-3 ${css.piece}`}>
        <Thumbnail image={(images[index] ?? images[0])?.image ?? null} />
        <div className="flex flex-col min-w-0">
          <span className="font-semibold">{name}</span>
          {color && <span className="text-sm">{colorName(color)}</span>}
          <span className="tabular-nums">{money(discountedPrice(priceCents, discount))}</span>
        </div>
      </div>
    </>
  )
}

const ColorChange = lazyComponent(async () => (await import('./color-change.tsx')).ColorChange)

type ColorFieldsProps = Pick<OrderRequestFormProps, 'colors' | 'item' | 'requestedColor'> & {
  color: string
  id: string
  onChange: (colorId: string) => void
}

function ColorFields({ id, onChange, ...props }: ColorFieldsProps) {
  if (props.colors.length === 0) return null
  return (
    <>
      <ColorField
        id={id}
        colors={props.colors}
        value={props.color}
        onChange={onChange}
      />
      {props.requestedColor !== '' && (
        <ColorChange
          colors={props.colors}
          colorId={props.color}
          isUnique={props.item.kind === 'unique'}
          requestedColor={props.requestedColor}
        />
      )}
    </>
  )
}

type ColorFieldProps = Pick<OrderRequestFormProps, 'colors'> & {
  id: string
  value: string
  onChange: (colorId: string) => void
}

const ColorField = ({ id, colors, value, onChange }: ColorFieldProps) => (
  <SelectField
    id={id}
    name="color"
    label={requestTexts.color}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">{requestTexts.anyColor}</option>
    {colors.map((option) => (
      <option
        key={option.id}
        value={option.id}
      >
        {colorName(option)}
      </option>
    ))}
  </SelectField>
)

/** A color selected on the page is also selected in this field, but not vice versa. */
function useSelectedColor({
  colorId,
  linkedColorId,
  colors,
}: Pick<OrderRequestFormProps, 'colorId' | 'linkedColorId' | 'colors'>) {
  const [selected, setSelected] = useState(colorId)
  const linkedColor = colors.find(({ id }) => id === linkedColorId)
  const [color, setColor] = useState(linkedColor?.id ?? colorId ?? '')
  if (selected !== colorId) {
    setSelected(colorId)
    if (colorId) setColor(colorId)
  }
  return [color, setColor] as const
}

type OrderRequest = ReturnType<typeof useOrderRequest>

function useOrderRequest({ item, userId }: OrderRequestFormProps, isUsable: boolean) {
  const itemId = item.id
  const form = useActionForm()
  const [isTooLong, setTooLong] = useState(false)
  const [isUnsent, setUnsent] = useState(false)
  const [sentCount, setSentCount] = useState(0)
  const [isSent, setSent] = useState(false)
  // A form that is sent again unchanged keeps its message id, so the shop stores it once.
  const [tried, setTried] = useState({ itemId, messageId: '' })
  const [answered, setAnswered] = useState<ActionResult | undefined>()
  if (form.answer !== answered) {
    setAnswered(form.answer)
    if (form.answer?.ok) {
      setSentCount(sentCount + 1)
      setTried({ itemId, messageId: '' })
      setSent(true)
    }
  }
  // Typed texts stay after the session expires, but not after a logout in any tab.
  const [writer, setWriter] = useState<string | null>(null)
  const [loggedOutWriter, setLoggedOutWriter] = useState<string | null>(null)
  useEffect(() => onDraftsDeleted(() => setLoggedOutWriter(writer)), [writer])
  if (isUsable && userId !== writer) {
    setWriter(userId)
    setSent(false)
  }
  useEffect(() => {
    if (writer && form.answer?.ok) saveDraft(writer, draftKey(itemId), '')
  }, [form.answer, writer, itemId])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const isOver = String(fields.get('message')).length > MAX_MESSAGE_LENGTH
    setTooLong(isOver)
    if (isOver) return
    setUnsent(connectivity.isLost())
    if (connectivity.isLost()) {
      checkConnectivity()
      showToast(requestTexts.failed)
      return
    }
    const messageId = (tried.itemId === itemId && tried.messageId) || newId15()
    setTried({ itemId, messageId })
    fields.set('messageId', messageId)
    void form.submit(fields, { method: 'post', action: '/order-request' })
  }

  const { error: refusal, field = 'message' } = form.isPending ? {} : (form.answer ?? {})
  let error = field === 'message' ? refusal : undefined
  if (isUnsent) error = requestTexts.unsent
  if (isTooLong) error = messageTexts.tooLong
  return {
    form,
    isSent,
    error,
    draft: draftKey(itemId),
    writer,
    isLoggedOut: writer === null || writer === loggedOutWriter,
    isAnother: sentCount > 0,
    messageKey: `${writer} ${loggedOutWriter} ${sentCount}`,
    submit,
    setTooLong,
    forgetMessageId: () => setTried({ itemId, messageId: '' }),
    writeAnother: () => setSent(false),
  }
}

type MessageFieldProps = { id: string; request: OrderRequest; isUsable: boolean }

function MessageField({ id, request, isUsable }: MessageFieldProps) {
  const { writer, draft, error, setTooLong } = request
  const text = useRef<HTMLTextAreaElement>(null)
  useStoredDraft(text, writer, draft)
  if (!isUsable && request.isLoggedOut) return null
  return (
    <TextareaField
      key={request.messageKey}
      ref={text}
      id={`${id}-text`}
      name="message"
      label={requestTexts.message}
      error={error}
      autoFocus={request.isAnother}
      rows={4}
      aria-describedby={`${id}-hint ${id}-text-error`}
      readOnly={request.form.isPending || !isUsable}
      onInput={({ currentTarget: { value } }) => {
        setTooLong(value.length > MAX_MESSAGE_LENGTH)
        if (writer) saveDraft(writer, draft, value)
      }}
    />
  )
}

type RequestButtonProps = Pick<OrderRequestFormProps, 'viewer'> & {
  itemId: string
  color: string
  error: string | undefined
  isPending: boolean
}

function RequestButton({ viewer, itemId, color, error, isPending }: RequestButtonProps) {
  const { pathname } = useLocation()
  if (viewer === 'owner') {
    return (
      <p className="text-soft">
        {requestTexts.owner}
        <Link to={href('/manage/item/:itemid?', { itemid: itemId })}>{requestTexts.edit}</Link>
      </p>
    )
  }
  if (viewer === 'visitor' || error === requestTexts.signedOut) {
    return (
      <Link
        className="button"
        to={`${loginPath(pathname + (color && `?color=${color}`))}&order`}
      >
        {requestTexts.logIn}
      </Link>
    )
  }
  return (
    <button
      className="button"
      aria-disabled={isPending}
      aria-busy={isPending}
    >
      {isPending ? requestTexts.sending : requestTexts.submit}
    </button>
  )
}

type OrderStateNoteProps = { requestState: RequestState; isShown: boolean }

function OrderStateNote({ requestState, isShown }: OrderStateNoteProps) {
  const { search } = useLocation()
  if (!isShown || requestState === 'new') return null
  return (
    <p className={`notice ${css.note}`}>
      {requestStateTexts[requestState].before}
      <Link
        to={withPanel(search)}
        preventScrollReset
      >
        {requestStateTexts[requestState].link}
      </Link>
      .
    </p>
  )
}
