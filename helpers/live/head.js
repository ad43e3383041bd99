(() => { // before anything is painted: the language and the colors that were asked for, or chosen last
  const root = document.documentElement, asked = new URLSearchParams(location.search);
  const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const chosen = (key, values, otherwise) => {
    const wanted = asked.get(key);
    if (values.includes(wanted)) try { localStorage.setItem(key, wanted); } catch { /* nothing is kept here */ }
    return [wanted, kept(key), otherwise].find((value) => values.includes(value));
  };
  const korean = navigator.languages.some((language) => language.startsWith("ko"));
  root.dataset.lang = chosen("lang", ["ko", "en", "both"], korean ? "ko" : "en");
  root.dataset.theme = chosen("theme", ["light", "dark"],
    matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.lang = root.dataset.lang === "en" ? "en" : "ko";
  root.classList.add("scripted");
})();
