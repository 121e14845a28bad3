/** What follows a press waits for the picture that answers it: on a slow phone the press would seem stuck otherwise (041). Browser only. */

/** A page in the background is not painted. */
export const afterPaint = (): Promise<void> =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done))
    setTimeout(done, document.hidden ? 0 : 1000)
  })
