/**
 * The message panel for the frame of every page: its program comes when somebody signed in may want it, its styles are the frame's own,
 * since a page without script must be dressed before any program has come.
 */
import { lazy } from 'react'
import '#app/features/alerts/alert-settings.module.css'
import '#app/features/alerts/alerts-button.module.css'
import '#app/features/away/away-note.module.css'
import '#app/ui/picture.module.css'
import './chat.module.css'
import './composer-pictures.module.css'
import './composer.module.css'
import './message-log.module.css'
import './message-panel.module.css'
import './message-pictures.module.css'
import './outgoing-messages.module.css'
import './upload-state.module.css'

const load = () => import('./message-panel.tsx')

/** No boundary around it: the server waits for it, and in the browser the page before stays until it is there. */
export const MessagePanel = lazy(async () => ({ default: (await load()).MessagePanel }))

/** In advance, so that it opens at once. A failure is told where it is opened. */
export const warmPanel = () => void load().catch(() => {})
