import { lazy } from 'react'

const load = () => import('./message-panel.tsx')

/** Has no Suspense boundary, so that React keeps the previous page while the panel loads. */
export const MessagePanel = lazy(async () => ({ default: (await load()).MessagePanel }))

export const preloadPanel = () => void load().catch(() => {})
