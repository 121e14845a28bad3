import { useState, type ComponentProps } from 'react'
import { useHydrated } from './redirect-field.tsx'
import { Eye, EyeOff } from './icons.tsx'
import css from './password-input.module.css'
import { controlField } from './form-fields.tsx'
import { formTexts } from './form-texts.ts'

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  /**
   * Hides the password while the form is sent, because browsers remember the values of text fields.
   */
  isHidden?: boolean
}

export function PasswordInput({ isHidden = false, ...input }: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false)
  const hasScript = useHydrated()
  const Icon = isShown ? EyeOff : Eye
  return (
    <span className={`relative ${css.password}`}>
      <input
        className="input"
        type={isShown && !isHidden ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...input}
      />
      {hasScript && (
        <button
          type="button"
          className={`icon-button text-soft ${css.eye}`}
          aria-pressed={isShown}
          aria-controls={input.id}
          // A click must not close the keyboard of a phone or move the caret.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon size={20} />
          <span className="sr-only">{formTexts.showPassword}</span>
        </button>
      )}
    </span>
  )
}

export const PasswordInputField = controlField(PasswordInput)
