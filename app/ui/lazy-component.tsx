/** Loads a component's code as a separate file. The browser shows the HTML of the component from the server until the code is loaded. */
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/** If the code cannot be loaded, the component works in the same way as without JavaScript. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback?: ReactNode,
) {
  const Part = lazy(async () => ({
    default: await load().catch(() => new Promise<never>(() => {})),
  }))
  return (props: Props) => (
    <Suspense fallback={fallback}>
      <Part {...props} />
    </Suspense>
  )
}
