/** Without script a form names the page to return to; with it the page stays and the answer comes back to it. */
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

export function BackField() {
  const location = useLocation()
  const [hasScript, setHasScript] = useState(false)
  // Only after hydration is it known that script runs here.
  useEffect(() => setHasScript(true), [])
  return hasScript ? null : <input type="hidden" name="back" value={location.pathname + location.search} />
}
