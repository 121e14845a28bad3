/** The message panel for the frame of every page: its code comes when a signed-in person may want it. */
import { lazy } from 'react'

const load = () => import('./message-panel.tsx')

/** No boundary around it: the server waits for it, and in the browser the page before stays until it is there. */
export const MessagePanel = lazy(async () => ({ default: (await load()).MessagePanel }))

/** In advance, so that it opens at once. A failure is told where it is opened. */
export const warmPanel = () => void load().catch(() => {})
