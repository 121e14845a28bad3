import type { ReactNode } from 'react'
import type { FormState } from './action-form.tsx'
import { ConfirmButton, type DialogButtonProps } from './dialog-button.tsx'
import { HiddenFields, type HiddenValues } from './form-fields.tsx'

type ConfirmFormProps = DialogButtonProps & {
  form: FormState
  action?: string
  fields: HiddenValues
  onNo?: () => void
  children?: ReactNode
}

/** In a file of its own, because most pages for visitors have no question with Yes and No. */
export const ConfirmForm = ({ form, action, fields, children, ...question }: ConfirmFormProps) => (
  <ConfirmButton
    isPending={form.isPending}
    {...question}
  >
    {(yesNo) => (
      <form.Form
        method="post"
        preventScrollReset
        action={action}
      >
        <HiddenFields {...fields} />
        {children}
        {yesNo}
      </form.Form>
    )}
  </ConfirmButton>
)
