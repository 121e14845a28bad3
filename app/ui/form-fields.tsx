import {
  useEffect,
  useId,
  type ComponentType,
  type ReactNode,
  type ComponentPropsWithRef,
  type RefObject,
} from 'react'
import type { FormProps } from 'react-router'
import { ConfirmButton, type DialogButtonProps } from './dialog-button.tsx'
import { RedirectToField } from './redirect-field.tsx'
import { formTexts } from './form-texts.ts'

type ControlProps = {
  id: string
  name: string
  className: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}
type FieldProps = {
  label: ReactNode
  name: string
  id?: string
  /** The error replaces the hint below the input. */
  error?: string | undefined
  hint?: string | undefined
  /** An example of what the user can type. It is shown below the error. */
  example?: string | undefined
  className?: string | undefined
  children: (tied: ControlProps) => ReactNode
}

export function Field({
  label,
  name,
  id: given,
  error,
  hint,
  example,
  className = 'field',
  children,
}: FieldProps) {
  const made = useId()
  const id = given ?? made
  const descriptionId = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        className: 'input',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': descriptionId,
      })}
      {error ? (
        <p
          className="error"
          id={descriptionId}
          role="alert"
        >
          {error}
          {example && <small>{example}</small>}
        </p>
      ) : (
        hint && (
          <span
            className="hint"
            id={descriptionId}
          >
            {hint}
          </span>
        )
      )}
    </div>
  )
}

/** After each `answer` of the server that marks fields in `root` as invalid, moves the focus to the first of them. [S-401] */
export function useFocusFirstInvalid(root: RefObject<HTMLElement | null>, answer: unknown): void {
  useEffect(
    () => root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    [root, answer],
  )
}

/** Renders the given hidden fields, and a hidden field with the page to which the browser returns if JavaScript is off. */
export function HiddenFields(fields: Record<string, string | number | null | undefined>) {
  return (
    <>
      <RedirectToField />
      {Object.entries(fields).map(
        ([name, value]) =>
          value !== null &&
          value !== undefined && (
            <input
              type="hidden"
              name={name}
              value={value}
              key={name}
            />
          ),
      )}
    </>
  )
}

type ConfirmFormProps = DialogButtonProps & {
  form: ComponentType<FormProps>
  action?: string
  fields: Parameters<typeof HiddenFields>[0]
  children?: ReactNode
}

export const ConfirmForm = ({
  form: Form,
  action,
  fields,
  children,
  ...question
}: ConfirmFormProps) => (
  <ConfirmButton {...question}>
    {(yesNo) => (
      <Form
        method="post"
        preventScrollReset
        {...(action && { action })}
      >
        <HiddenFields {...fields} />
        {children}
        {yesNo}
      </Form>
    )}
  </ConfirmButton>
)

export const EmailField = (props: ComponentPropsWithRef<'input'>) => (
  <div className="field">
    <label htmlFor="email">{formTexts.email}</label>
    <input
      className="input"
      id="email"
      name="email"
      type="text"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  </div>
)
