import { useState, type ComponentProps } from 'react'
import { useHydrated } from './redirect-field.tsx'
import { Eye, EyeOff } from './icons.tsx'
import css from './password-input.module.css'
import { formTexts } from './form-texts.ts'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  /** Must be true while the form is being sent. Then the input is a password field, because browsers remember the values of text fields. */
  isHidden?: boolean
}

export function PasswordInput({ isHidden = false, ...input }: Props) {
  const [isShown, setIsShown] = useState(false)
  const hasScript = useHydrated()
  const Icon = isShown ? EyeOff : Eye
  return (
    <span className={`anchor ${css.password}`}>
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
          className={`icon-button soft ${css.eye}`}
          aria-pressed={isShown}
          aria-controls={input.id}
          // Without `preventDefault`, a click on the button would close the keyboard of a phone and move the caret.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon
            size={20}
            aria-hidden="true"
          />
          <span className="visually-hidden">{formTexts.showPassword}</span>
        </button>
      )}
    </span>
  )
}
