import {
  createContext,
  useContext,
  useEffect,
  useId,
  type ComponentPropsWithRef,
  type ElementType,
  type ReactNode,
  type RefObject,
} from 'react'
import type { ActionResult } from './action-result.ts'
import { RedirectToField } from './redirect-field.tsx'
import { formTexts } from './form-texts.ts'

export const FormContext = createContext<{
  answer?: ActionResult
  isPending: boolean
}>({ isPending: false })

const fieldError = (answer: ActionResult | undefined, name: string) =>
  answer?.errors?.[name] ?? (answer?.field === name ? answer.error : undefined)

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
  error?: string
  hint?: string
  example?: string
  className?: string
  children: (tied: ControlProps) => ReactNode
}

export function Field({
  label,
  name,
  id: fixedId,
  error: fixedError,
  hint,
  example,
  className = 'field',
  children,
}: FieldProps) {
  const generatedId = useId()
  const { answer } = useContext(FormContext)
  const id = fixedId ?? generatedId
  const error = fixedError ?? fieldError(answer, name)
  const descriptionId = error || hint ? `${id}-${error ? 'error' : 'hint'}` : undefined
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

type ControlFieldProps<Tag extends ElementType> = Omit<FieldProps, 'children'> &
  ComponentPropsWithRef<Tag> & { controlClassName?: string }

/** `className` styles the field. The control gets all attributes that are not listed here. */
export const controlField = <Tag extends ElementType>(tag: Tag) =>
  function ControlField(props: ControlFieldProps<Tag>) {
    const { label, name, id, error, hint, example, className, controlClassName, ...control } = props
    const field = { label, name, id, error, hint, example, className }
    const Control: ElementType = tag
    return (
      <Field {...field}>
        {(tied) => (
          <Control
            {...tied}
            className={controlClassName ?? 'input'}
            {...control}
          />
        )}
      </Field>
    )
  }

export const InputField = controlField('input')
export const SelectField = controlField('select')
export const TextareaField = controlField('textarea')

export function useFocusFirstInvalid(root: RefObject<HTMLElement | null>, answer: unknown) {
  useEffect(
    () => root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    [root, answer],
  )
}

export type HiddenValues = Record<string, string | number | null | undefined>

export const HiddenInputs = (values: HiddenValues) =>
  Object.entries(values).map(([name, value]) =>
    value === null || value === undefined ? null : (
      <input
        type="hidden"
        name={name}
        value={value}
        key={name}
      />
    ),
  )

export const HiddenFields = (values: HiddenValues) => (
  <>
    <RedirectToField />
    <HiddenInputs {...values} />
  </>
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
