/** Changing the password, or setting the first one (LOGIN-19). */
import { useId } from 'react'
import type { Account } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#app/platform/password-length.ts'
import { ProvenAct } from './proven-act.tsx'

export function PasswordSection({ account: { user, proof } }: { account: Account }) {
  const id = useId()
  const label = proof === 'password' ? 'Change Password' : 'Set a Password'
  const newPassword = (
    <div className="field">
      <label htmlFor={id}>New Password</label>
      <input
        className="input"
        id={id}
        name="newPassword"
        type="password"
        autoComplete="new-password"
        aria-describedby={`${id}-hint`}
        required
      />
      <p className="hint soft" id={`${id}-hint`}>
        {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters
      </p>
    </div>
  )
  return (
    <AccountSection id="password" title="Password" hint="A new password logs you out everywhere else.">
      <ProvenAct
        label={label}
        question={label}
        action="/account/password"
        proof={proof}
        passwordLabel="Current Password"
        fieldsAfter={newPassword}
      >
        {/* For password managers: whose password it is. */}
        <input type="text" name="username" value={user.email} autoComplete="username" readOnly hidden />
      </ProvenAct>
    </AccountSection>
  )
}
