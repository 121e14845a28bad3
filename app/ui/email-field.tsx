/** The e-mail address of an account, as password managers know it. The browser asks only that it is there (LOGIN-05). */
import type { ComponentPropsWithRef } from 'react'

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
