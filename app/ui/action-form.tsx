import { useContext, useRef, type ComponentPropsWithRef, type ComponentType } from 'react'
import {
  Form,
  useFetcher,
  useNavigation,
  useSubmit,
  type FormProps,
  type SubmitFunction,
} from 'react-router'
import type { ActionResult } from './action-result.ts'
import {
  FormContext,
  HiddenFields,
  useFocusFirstInvalid,
  type HiddenValues,
} from './form-fields.tsx'
import { useActionToasts } from './toasts.tsx'
import { usePersistentActionData } from './use-persistent-action-data.ts'

export type FormState<Result extends ActionResult = ActionResult> = ReturnType<
  typeof useActionForm<Result>
>

const intentOf = (form: FormData | undefined) => {
  const intent = form?.get('intent')
  return typeof intent === 'string' ? intent : null
}

export function useActionForm<Result extends ActionResult = ActionResult>(key?: string) {
  const fetcher = useFetcher<Result>({ key })
  const answer = fetcher.data as Result | undefined
  useActionToasts(answer)
  return {
    Form: fetcher.Form as ComponentType<FormProps & ComponentPropsWithRef<'form'>>,
    answer,
    isPending: fetcher.state !== 'idle',
    formData: fetcher.formData,
    pendingIntent: intentOf(fetcher.formData),
    reset: fetcher.reset,
    submit: fetcher.submit as SubmitFunction,
  }
}

export function usePageForm<Result extends ActionResult>(
  actionData: Result | undefined,
): FormState<Result> {
  const answer = usePersistentActionData(actionData)
  const { formMethod, formData } = useNavigation()
  useActionToasts(answer)
  return {
    Form,
    answer,
    isPending: formMethod === 'POST',
    formData,
    pendingIntent: intentOf(formData),
    reset: () => {},
    submit: useSubmit(),
  }
}

type ActionFormProps = Omit<ComponentPropsWithRef<'form'> & FormProps, 'method'> & {
  form: FormState
  fields?: HiddenValues
}

export function ActionForm({ form, fields, children, ref, ...attributes }: ActionFormProps) {
  const ownRef = useRef<HTMLFormElement>(null)
  const element = ref && typeof ref === 'object' ? ref : ownRef
  useFocusFirstInvalid(element, form.answer)
  return (
    <form.Form
      method="post"
      preventScrollReset
      aria-busy={form.isPending}
      {...attributes}
      ref={element}
    >
      <HiddenFields {...fields} />
      <FormContext value={form}>{children}</FormContext>
    </form.Form>
  )
}

export const FormError = ({ answer }: { answer: ActionResult | undefined }) =>
  answer?.error && !answer.errors && !answer.field ? (
    <p
      className="error"
      role="alert"
    >
      {answer.error}
    </p>
  ) : null

type SubmitButtonProps = ComponentPropsWithRef<'button'> & { isPending?: boolean }

export function SubmitButton({ className = 'button', ...props }: SubmitButtonProps) {
  const form = useContext(FormContext)
  const { isPending = form.isPending, ...attributes } = props
  return (
    <button
      className={className}
      aria-disabled={isPending}
      aria-busy={isPending}
      {...attributes}
    />
  )
}
