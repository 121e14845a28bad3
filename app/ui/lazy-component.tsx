/** A part of a page whose code is a chunk of its own. The server renders it; the browser leaves that HTML as it is until the code has come. */
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/** `load` imports the code; if that fails, the part goes on working as it does without JavaScript. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback?: ReactNode) {
  const Part = lazy(async () => ({ default: await load().catch(() => new Promise<never>(() => {})) }))
  return (props: Props) => (
    <Suspense fallback={fallback}>
      <Part {...props} />
    </Suspense>
  )
}
