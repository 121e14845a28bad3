import { useState, type ComponentProps } from 'react'
import { useHasScript } from './back-field.tsx'
import { Eye, EyeOff } from './icons.tsx'
import css from './password-input.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  /** while the form is under way nothing is shown: browsers remember what stands in a text field */
  isHidden?: boolean
}

export function PasswordInput({ isHidden = false, ...input }: Props) {
  const [isShown, setIsShown] = useState(false)
  const hasScript = useHasScript()
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
          // The keyboard of a phone stays open, and the caret where it is.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon size={20} aria-hidden="true" />
          <span className="unseen">Show password</span>
        </button>
      )}
    </span>
  )
}
