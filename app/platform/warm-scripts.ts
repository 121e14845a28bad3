/** The scripts and styles of the pages that this one leads to, fetched for somebody who is there while the browser has nothing else to do. */

import { connection } from './connection.ts'
import { someoneIsThere, sparesData } from './someone.ts'

declare global {
  interface Window {
    /** The router's: all routes that this page leads to, as far as it knows them. */
    __reactRouterManifest?: { routes: Record<string, { module: string; clientActionModule?: string; css?: string[] }> }
  }
}

/** Milliseconds after a page, so that its own pictures come first. */
const WAIT = 1000
const warmed = new Set<string>()

/** They open at once then, and a connection that is lost meanwhile cannot keep a page or a button from working. */
export function warmScripts(also: (() => void)[] = []): () => void {
  if (import.meta.env.DEV || sparesData()) return () => {}
  let isOver = false
  const timer = setTimeout(async () => {
    await someoneIsThere()
    if (!isOver) (window.requestIdleCallback ?? setTimeout)(() => warm(also))
  }, WAIT)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

function warm(also: (() => void)[]) {
  // A script that could not be fetched once is not asked for again by some browsers.
  if (connection.isLost()) return
  for (const one of also) one()
  const routes = Object.values(window.__reactRouterManifest?.routes ?? {})
  for (const style of routes.flatMap((route) => route.css ?? [])) {
    if (warmed.has(style) || document.querySelector(`link[href="${style}"]`)) continue
    warmed.add(style)
    const link = document.createElement('link')
    Object.assign(link, { rel: 'prefetch', as: 'style', href: style })
    document.head.append(link)
  }
  for (const script of routes.flatMap((route) => [route.module, route.clientActionModule])) {
    if (!script || warmed.has(script)) continue
    warmed.add(script)
    import(/* @vite-ignore */ script).catch(() => {})
  }
}
