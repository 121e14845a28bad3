import type { ComponentProps } from 'react'
import { UserMenu } from '#auth/user-menu.tsx'

const leaveDocument = () =>
  void import('./clear-browser.ts').then(
    (module) => module.leaveDocument(),
    () => location.reload(),
  )

export const SignedIn = (props: Omit<ComponentProps<typeof UserMenu>, 'onSessionEnd'>) => (
  <UserMenu
    {...props}
    onSessionEnd={leaveDocument}
  />
)
