/** The signed-in corner of the bar: its program is for those who are, its styles are the frame's own. */
import { later } from '#app/ui/later.tsx'
import '#app/ui/dialog.module.css'
import './profile-menu.module.css'

export const { Later: SignedIn, ready: signedInReady } = later(async () => (await import('./signed-in.tsx')).SignedIn)
