import { lazy } from 'react'

const load = () => import('./message-panel.tsx')

/** Without a Suspense boundary, React keeps the previous page meanwhile. */
export const MessagePanel = lazy(async () => ({ default: (await load()).MessagePanel }))

export const preloadPanel = () => void load().catch(() => {})
