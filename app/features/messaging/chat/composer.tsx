import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEvent,
  type InputEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { Form } from 'react-router'
import { saveDraft, useStoredDraft } from '#client/drafts.ts'
import { MAX_MESSAGE_LENGTH } from '#conversation/message.ts'
import { messageTexts } from '#conversation/texts.ts'
import { mayRetry } from '#images/image-upload-queue.ts'
import { type Upload, ACCEPTED_TYPES } from '#images/image-upload.ts'
import { newId15 } from '#lib/text/ids.ts'
import { HiddenFields } from '#ui/form-fields.tsx'
import { Camera, ImagePlus, Images, SendHorizontal, X } from '#ui/icons.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import type { MessageImageUpload, useMessageImageUploads } from '../images/message-image-uploads.ts'
import { chatTexts, messageImageTexts } from '../texts.ts'
import css from './chat.module.css'
import imagesCss from './composer-images.module.css'
import uploadCss from './upload-state.module.css'

export type RefusedMessage = { message: string; error?: string }
export type ComposerProps = {
  viewerId: string
  orderId: string
  action: string
  closedText: string | null
  refused?: RefusedMessage | null
  prepared?: string
  send: (message: string) => boolean
  seen: number
  children?: ReactNode
}

export function Composer(props: ComposerProps) {
  const { action, closedText, refused, seen, children, ...field } = props
  const id = useId()
  // The shop stores a message with this id once, even if it is sent twice.
  const [formId] = useState(newId15)
  const isClosed = closedText !== null
  const { box, isTooLong, submit, onInput, onKeyDown } = useMessageField({ ...field, isClosed })
  return (
    <Form
      className={`grid gap-4 relative ${css.form}`}
      method="post"
      action={action}
      encType="multipart/form-data"
      data-queued
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <HiddenFields
        intent="send"
        writer={field.viewerId}
        seen={seen}
      />
      <input
        type="hidden"
        name="messageId"
        value={formId}
        suppressHydrationWarning
      />
      {children}
      <label
        className="sr-only"
        htmlFor={`${id}-text`}
      >
        {chatTexts.message}
      </label>
      <textarea
        key={String(isClosed)}
        ref={box}
        className={`input ${css.composerText}`}
        id={`${id}-text`}
        name="message"
        dir="auto"
        rows={2}
        placeholder={closedText ?? chatTexts.placeholder}
        disabled={isClosed}
        aria-invalid={isTooLong || undefined}
        aria-describedby={`${id}-error`}
        defaultValue={refused?.message ?? field.prepared}
        onInput={onInput}
        onKeyDown={onKeyDown}
      />
      <button
        className={`button ${css.send}`}
        disabled={isClosed}
      >
        <SendHorizontal size={20} /> {chatTexts.send}
      </button>
      <p
        className={`error ${css.error}`}
        id={`${id}-error`}
        role="alert"
      >
        {isTooLong ? messageTexts.tooLong : refused?.error}
      </p>
    </Form>
  )
}

/** Within this time, an empty message is the second click of a double click and ignored. */
const DOUBLE_CLICK_MS = 1000

type MessageFieldProps = Pick<ComposerProps, 'viewerId' | 'orderId' | 'send' | 'prepared'> & {
  isClosed: boolean
}

function useMessageField(props: MessageFieldProps) {
  const { viewerId, orderId, isClosed, send, prepared = '' } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const lastSent = useRef(-Infinity)
  const [isTooLong, setTooLong] = useState(false)

  // The draft of a closed order stays stored.
  useStoredDraft(box, isClosed ? null : viewerId, orderId, prepared)
  useLayoutEffect(() => {
    const { value } = box.current!
    if (isClosed || prepared === '') return
    if (!value.includes(prepared)) box.current!.value = `${value.trimEnd()}\n${prepared}`
    saveDraft(viewerId, orderId, box.current!.value)
  }, [viewerId, orderId, isClosed, prepared])
  useLayoutEffect(
    () => setTooLong(box.current!.value.length > MAX_MESSAGE_LENGTH),
    [viewerId, orderId, isClosed],
  )

  function submit() {
    const { value: message } = box.current!
    setTooLong(message.length > MAX_MESSAGE_LENGTH)
    if (isClosed || message.length > MAX_MESSAGE_LENGTH) return
    if (message === '' && performance.now() - lastSent.current < DOUBLE_CLICK_MS) return
    if (!send(message)) return
    lastSent.current = performance.now()
    box.current!.value = ''
    saveDraft(viewerId, orderId, '')
    box.current!.focus()
  }

  return {
    box,
    isTooLong,
    submit,
    onInput({ currentTarget: { value } }: InputEvent<HTMLTextAreaElement>) {
      saveDraft(viewerId, orderId, value)
      setTooLong(value.length > MAX_MESSAGE_LENGTH)
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Enter' || event.shiftKey || isComposing(event) || !hasKeyboard()) return
      event.preventDefault()
      // Only the button sends an empty message, not the Enter key.
      if (!event.repeat && box.current!.value.trim() !== '') submit()
    },
  }
}

/** Without a keyboard there is no Shift+Enter, so Enter adds a line. */
const hasKeyboard = () => matchMedia('(hover: hover), (pointer: fine)').matches

/** In an input method, Enter confirms a word. Safari reports this only by the key code. */
const isComposing = ({ nativeEvent }: KeyboardEvent) =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229

type ImageUploads = ReturnType<typeof useMessageImageUploads>
type ComposerImagesProps = Omit<ImageUploads, 'list' | 'take'> & { isClosed: boolean }

export function ComposerImages({
  chosen,
  error,
  isClosed,
  add,
  remove,
  retry,
}: ComposerImagesProps) {
  const addButton = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const failures = chosen.filter(({ upload }) => upload.state === 'error').length
  useEffect(() => {
    if (failures === 0) return
    const image = list.current?.querySelector('[data-failed]')
    image?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [failures])

  return (
    <>
      <div
        className={`min-w-0 ${imagesCss.chosen}`}
        hidden={chosen.length === 0 && error === null}
      >
        <ul
          className={`m-0 ${imagesCss.list}`}
          ref={list}
          aria-label={messageImageTexts.chosen}
        >
          {chosen.map((image, index) => (
            <ChosenImage
              key={image.id}
              image={image}
              number={index + 1}
              retry={retry}
              remove={(id) => {
                remove(id)
                addButton.current?.focus()
              }}
            />
          ))}
        </ul>
        <p
          className="error"
          role="alert"
        >
          {error}
        </p>
      </div>
      <ImagePicker
        button={addButton}
        isClosed={isClosed}
        add={add}
      />
    </>
  )
}

type ChosenImageProps = Pick<ImageUploads, 'remove' | 'retry'> & {
  image: MessageImageUpload
  number: number
}

const ChosenImage = ({ image, number, retry, remove }: ChosenImageProps) => (
  <li
    className={`flex-none relative ${imagesCss.one}`}
    data-failed={image.upload.state === 'error' || undefined}
  >
    <span className={`bg-raised ${imagesCss.preview}`}>
      {image.src && (
        <img
          src={image.src}
          alt={image.file.name}
        />
      )}
    </span>
    <UploadState
      upload={image.upload}
      name={messageImageTexts.imageNumber(number)}
      onRetry={mayRetry(image) ? () => retry(image.id) : undefined}
    />
    <button
      type="button"
      className={`grid place-items-center ${imagesCss.remove}`}
      aria-label={messageImageTexts.remove(number)}
      onClick={() => remove(image.id)}
    >
      <X size={18} />
    </button>
  </li>
)

type ImagePickerProps = Pick<ComposerImagesProps, 'isClosed' | 'add'> & {
  button: RefObject<HTMLButtonElement | null>
}

function ImagePicker({ button, isClosed, add }: ImagePickerProps) {
  const id = useId()
  const hasScript = useHydrated()
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const ways = [
    { label: messageImageTexts.choose, Icon: Images, input: files },
    { label: messageImageTexts.takePhoto, Icon: Camera, input: camera },
  ]
  function addFiles({ currentTarget: input }: ChangeEvent<HTMLInputElement>) {
    add([...(input.files ?? [])])
    input.value = ''
  }
  return (
    <div className={imagesCss.ways}>
      <button
        type="button"
        ref={button}
        className={`icon-button ${imagesCss.mouse}`}
        aria-label={messageImageTexts.add}
        disabled={isClosed}
        onClick={() => files.current?.click()}
      >
        <ImagePlus />
      </button>
      <button
        type="button"
        className={`icon-button ${imagesCss.touch}`}
        aria-label={messageImageTexts.add}
        disabled={isClosed}
        popoverTarget={`${id}-ways`}
      >
        <ImagePlus />
      </button>
      <div
        className={`m-0 ${imagesCss.sheet}`}
        id={`${id}-ways`}
        popover="auto"
      >
        {ways.map(({ label, Icon, input }) => (
          <button
            key={label}
            type="button"
            className="button quiet"
            popoverTarget={`${id}-ways`}
            popoverTargetAction="hide"
            onClick={() => input.current?.click()}
          >
            <Icon size={20} /> {label}
          </button>
        ))}
      </div>
      <label className={imagesCss.picker}>
        {messageImageTexts.image}
        <input
          ref={files}
          type="file"
          name="files"
          accept={ACCEPTED_TYPES}
          multiple={hasScript}
          disabled={isClosed}
          tabIndex={hasScript ? -1 : undefined}
          onChange={addFiles}
        />
      </label>
      <input
        hidden
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        aria-label={messageImageTexts.photo}
        onChange={addFiles}
      />
    </div>
  )
}

type UploadStateProps = { upload: Upload; name: string; onRetry?: (() => void) | undefined }

export function UploadState({ upload, name, onRetry }: UploadStateProps) {
  if (upload.state === 'error') {
    return (
      <span className={uploadCss.state}>
        <span className={uploadCss.failed}>{upload.text}</span>
        {onRetry && (
          <button
            type="button"
            className={uploadCss.retry}
            aria-label={messageImageTexts.retryUpload(name)}
            onClick={onRetry}
          >
            {messageImageTexts.retry}
          </button>
        )}
      </span>
    )
  }
  if (upload.state !== 'pending') return null
  if (upload.step === 'offline') {
    return <span className={uploadCss.state}>{messageImageTexts.offline}</span>
  }
  return (
    <progress
      className={`progress ${uploadCss.progress}`}
      aria-label={messageImageTexts.upload(name)}
      max={1}
      value={uploadedPart(upload)}
    />
  )
}

function uploadedPart({ step, part = 0 }: Extract<Upload, { state: 'pending' }>) {
  if (step === 'storing') return 1
  return step === 'sending' ? part : undefined
}
