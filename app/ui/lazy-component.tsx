import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/** Until its code is loaded, or if loading fails, the component works as without JavaScript. */
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
