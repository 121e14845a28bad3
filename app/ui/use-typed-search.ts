/** A search that answers while one types: a form that asks for another address, and with script asks a moment after the last letter. */
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Milliseconds after the last letter. */
const PAUSE = 250

/** `shown`: what the address looks for; `addressOf`: the address that looks for a text. */
export function useTypedSearch(shown: string, addressOf: (text: string) => string) {
  const { state } = useLocation()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The field is the browser's while she types in it; an address that came otherwise (Back, Clear) sets it anew.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = shown
  }, [shown])
  // The clock is outside React.
  useEffect(() => () => clearTimeout(typing.current), [])

  const latest = useRef(look)
  useEffect(() => {
    latest.current = look
  })
  function look() {
    clearTimeout(typing.current)
    // All letters of one search are one step back.
    void navigate(addressOf(input.current?.value ?? ''), { state: 'typed', replace: state === 'typed', preventScrollReset: true })
  }
  const lookSoon = () => {
    clearTimeout(typing.current)
    typing.current = setTimeout(() => latest.current(), PAUSE)
  }
  return { input, look, lookSoon }
}
