/** A button that asks first: the question with Yes and No (TOAST-05). */
import type { ReactNode } from 'react'
import { Choices, CloseButton, dialogAround, Question, type QuestionProps } from './question.tsx'

type Props = QuestionProps & {
  /** the form that "Yes" sends; it gets confirm=Yes, and the server refuses without it */
  children: (yesNo: ReactNode) => ReactNode
  onNo?: () => void
}

export function Ask({ children, onNo, className = 'button danger', ...question }: Props) {
  return (
    <Question className={className} {...question}>
      {(dialogId) =>
        children(
          <Choices>
            {/* Closed after the form has gone out: a button in a closed dialog sends nothing. */}
            <button
              className="button"
              name="confirm"
              value="Yes"
              aria-disabled={false}
              onClick={({ currentTarget }) => setTimeout(() => dialogAround(currentTarget)?.close())}
            >
              Yes
            </button>
            <CloseButton dialogId={dialogId} onClose={onNo}>
              No
            </CloseButton>
          </Choices>,
        )
      }
    </Question>
  )
}
