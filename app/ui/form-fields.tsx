import { useId, type ComponentType, type ReactNode, type ComponentPropsWithRef } from 'react'
import type { FormProps } from 'react-router'
import { Ask, type QuestionProps } from './question.tsx'
import { BackField } from './back-field.tsx'

type Tied = { id: string; name: string; className: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }
type FieldProps = {
  label: ReactNode
  name: string
  id?: string
  /** stands below the input, in the place of the hint */
  error?: string | undefined
  hint?: string | undefined
  className?: string | undefined
  children: (tied: Tied) => ReactNode
}

export function Field({ label, name, id: given, error, hint, className = 'field', children }: FieldProps) {
  const made = useId()
  const id = given ?? made
  const told = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      {children({ id, name, className: 'input', 'aria-invalid': error ? true : undefined, 'aria-describedby': told })}
      {error ? (
        <p className="error" id={told} role="alert">
          {error}
        </p>
      ) : (
        hint && (
          <span className="hint" id={told}>
            {hint}
          </span>
        )
      )}
    </div>
  )
}

/** What a form says beside what is typed; without script also the page to return to. */
export function HiddenFields(fields: Record<string, string | number | null | undefined>) {
  return (
    <>
      <BackField />
      {Object.entries(fields).map(
        ([name, value]) => value !== null && value !== undefined && <input type="hidden" name={name} value={value} key={name} />,
      )}
    </>
  )
}

type AskFormProps = QuestionProps & {
  form: ComponentType<FormProps>
  action?: string
  fields: Parameters<typeof HiddenFields>[0]
  children?: ReactNode
}

export const AskForm = ({ form: Form, action, fields, children, ...question }: AskFormProps) => (
  <Ask {...question}>
    {(yesNo) => (
      <Form method="post" preventScrollReset {...(action && { action })}>
        <HiddenFields {...fields} />
        {children}
        {yesNo}
      </Form>
    )}
  </Ask>
)

export const EmailField = (props: ComponentPropsWithRef<'input'>) => (
  <div className="field">
    <label htmlFor="email">Email</label>
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
