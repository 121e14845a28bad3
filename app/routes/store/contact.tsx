export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Contact</h1>
    </main>
  )
}
