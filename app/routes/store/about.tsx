export default function Page() {
  return (
    <main className="page" id="main">
      <h1>About</h1>
    </main>
  )
}
