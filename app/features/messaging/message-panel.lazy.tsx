/** The message panel is loaded only for signed-in users. */
import { lazy } from 'react'

const load = () => import('./message-panel.tsx')

/** There is no Suspense boundary, so the server waits for the code, and the browser shows the previous page until it is loaded. */
export const MessagePanel = lazy(async () => ({ default: (await load()).MessagePanel }))

/** Loads the code of the panel early, so that the panel opens immediately. */
export const preloadPanel = () => void load().catch(() => {})
