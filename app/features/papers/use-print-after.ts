/** What the browser does once the server has given number and ticket: its own print dialog, or bringing the file. */
import { useEffect, useRef } from 'react'
import type { Printed } from './print-papers.server.ts'

/** SALES-59: once for each answer, as soon as what it tells of is on the paper. */
export function usePrintAfter(answer: Printed | undefined, isReady: boolean): void {
  const done = useRef<Printed>(undefined)
  // Print dialog and downloads are the browser's.
  useEffect(() => {
    if (!answer?.ok || !isReady || done.current === answer) return
    done.current = answer
    if (answer.pdf) location.assign(answer.pdf)
    else window.print()
  }, [answer, isReady])
}
