/** What the bar holds for somebody who is signed in: the bell and the menu behind the photo. */
import { Bell } from './bell.tsx'
import { ProfileMenu, type MenuUser } from './profile-menu.tsx'

export const SignedIn = ({ user, unread }: { user: MenuUser; unread: number }) => (
  <>
    <Bell role={user.role} unread={unread} />
    <ProfileMenu user={user} />
  </>
)
