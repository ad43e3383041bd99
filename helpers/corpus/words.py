"""The words of the made sentences, in small tables. A "-" in a cell stands for none.

How to add a verb:
    1. Add a row to `VERBS`: 열|열어|open|opened|가방 우산|집 학교. The infinitive (열어) and the English past
       carry all that is irregular; every other form, 연다, 여니, 연 가방, opens, follows from them.
    2. Its objects stand in `NOUNS` and its places in `PLACES`: add rows there for new ones.
    3. Read the lists below `VERBS` and name it where it needs care, such as `NOT_IN_TENSE`. A verb in no
       list goes into statements, questions and lists of actions by itself.
Another table gives other random choices, so that the same seed then makes other sentences.
"""

# Korean | singular | plural | unit it is counted in | Korean counter | adjectives
NOUNS = """
책|book|books|-|권|새 재미있는 오래된
소설|novel|novels|-|권|새 재미있는
신문|newspaper|newspapers|-|부|-
편지|letter|letters|-|통|긴 짧은
엽서|postcard|postcards|-|장|-
사과|apple|apples|-|개|맛있는 큰 작은
빵|-|bread|-|-|맛있는
김밥|-|gimbap|rolls of|줄|맛있는
케이크|-|cake|pieces of|조각|맛있는
커피|-|coffee|cups of|잔|따뜻한
차|-|tea|cups of|잔|따뜻한
물|-|water|glasses of|잔|-
우유|-|milk|glasses of|잔|-
모자|hat|hats|-|개|새 비싼 예쁜 작은
가방|bag|bags|-|개|새 비싼 큰 작은
우산|umbrella|umbrellas|-|개|새 비싼 큰
표|ticket|tickets|-|장|비싼
꽃|flower|flowers|-|송이|예쁜
의자|chair|chairs|-|개|새 큰 작은
그림|picture|pictures|-|장|예쁜 큰 작은
사진|photo|photos|-|장|-
영화|movie|movies|-|편|새 재미있는 오래된
노래|song|songs|-|-|새 오래된
친구|friend|friends|-|명|오랜
음악|-|music|-|-|-
한국어|-|Korean|-|-|-
영어|-|English|-|-|-
버스|-|the bus|-|-|-
기차|-|the train|-|-|-
지하철|-|the subway|-|-|-
"""
ADJECTIVES = {
    "새": "new",
    "재미있는": "interesting",
    "오래된": "old",
    "오랜": "old",
    "긴": "long",
    "짧은": "short",
    "예쁜": "pretty",
    "맛있는": "delicious",
    "큰": "big",
    "작은": "small",
    "따뜻한": "hot",
    "비싼": "expensive",
}
ADJECTIVES_NOT_IN_FUTURE = ["재미있는", "맛있는"]  # one knows only afterwards
NUMBERS = {"두": "two", "세": "three", "네": "four", "다섯": "five"}

# Korean | where it happens | where one goes
PLACES = """
집|at home|home
학교|at school|to school
도서관|at the library|to the library
공원|in the park|to the park
시장|at the market|to the market
가게|at the store|to the store
카페|at the cafe|to the cafe
식당|at the restaurant|to the restaurant
역|at the station|to the station
호텔|at the hotel|to the hotel
극장|at the theater|to the theater
서울|in Seoul|to Seoul
부산|in Busan|to Busan
파리|in Paris|to Paris
런던|in London|to London
로마|in Rome|to Rome
도쿄|in Tokyo|to Tokyo
"""
CITIES_IN_KOREA = ["서울", "부산"]
CITIES_ABROAD = ["파리", "런던", "로마", "도쿄"]
CITIES = CITIES_IN_KOREA + CITIES_ABROAD
OUTDOOR_PLACES = ["공원", *CITIES]

# stem | infinitive, with 아 or 어 | English | past | objects | places, where 도시 is any city
VERBS = """
읽|읽어|read|read|책 소설 신문 편지|집 학교 도서관 공원 카페 호텔
사|사|buy|bought|책 소설 신문 엽서 사과 빵 케이크 커피 모자 가방 우산 표 꽃 의자 그림|시장 가게 역 도시
팔|팔아|sell|sold|책 빵 모자 가방 우산 의자 그림|시장 가게 도시
마시|마셔|drink|drank|커피 차 물 우유|집 학교 카페 식당 호텔 공원 도시
먹|먹어|eat|ate|사과 빵 김밥 케이크|집 학교 공원 식당 카페 역 도시
만들|만들어|make|made|빵 김밥 의자 가방 모자|집 학교
쓰|써|write|wrote|편지 엽서|집 도서관 카페 호텔 도시
빌리|빌려|borrow|borrowed|책 소설|학교 도서관
찍|찍어|take|took|사진|공원 시장 역 호텔 도시
그리|그려|draw|drew|그림 꽃|집 학교 공원
보|봐|watch|watched|영화|집 극장 호텔 도시
듣|들어|listen to|listened to|노래 음악|집 카페 공원 호텔
잃어버리|잃어버려|lose|lost|가방 모자 우산 표 편지|시장 역 식당 공원 도시
공부하|공부해|study|studied|한국어 영어|학교 집 도서관 카페
가르치|가르쳐|teach|taught|한국어 영어|학교 카페 도시
기다리|기다려|wait for|waited for|버스 기차 지하철 친구|역
타|타|take|took|버스 기차 지하철|도시
만나|만나|meet|met|친구|학교 공원 카페 역 식당 도시
쉬|쉬어|rest|rested|-|집 호텔 공원 카페
산책하|산책해|take a walk|took a walk|-|공원 도시
일하|일해|work|worked|-|시장 가게 카페 식당 호텔 도시
가|가|go|went|-|-
다녀오|다녀와|take a trip to|took a trip to|-|-
"""

# Verbs that need care.
NOT_IN_TENSE = {"present": ["잃어버리", "기다리", "다녀오"], "future": ["잃어버리"]}
NOT_DONE_BY = {"아이들": ["팔", "가르치", "일하"], "친구들": ["만나"]}
NOT_NEGATED = ["잃어버리", "만나", "듣", "다녀오"]
NOT_NEGATED_IN_PRESENT = ["가", "쉬", "산책하"]  # "I do not go to Seoul"
NOT_COUNTED = ["잃어버리"]  # nobody loses three hats
NOT_OFTEN = ["일하", "공부하", "가르치", "쉬", "팔"]  # but every day
NOT_AT_VAGUE_TIMES = ["먹", "마시", "타", "기다리"]  # too short for them
VAGUE_TIMES = ["지난주에", "다음 주에", "최근", "곧"]
NOT_IN_LISTS = ["타", "다녀오", "기다리", "잃어버리", "일하"]  # of actions, one after the other
LAST_IN_LISTS = ["가", "쉬"]
NOT_CONTRASTED = ["잃어버리", "팔", "가르치", "일하"]  # Minsu sold a hat, but the children sold a bag
NOT_ASKED_WHERE = ["기다리", "만나", "타"]  # 어디에서 …?
ASKED_WHAT = ["사", "먹", "마시", "읽", "공부하", "만들", "빌리", "팔", "그리"]  # 무엇을 …?
WITH_COMPANION = ["보", "먹", "마시", "산책하", "가", "다녀오", "만들"]
WITH_INSTRUMENT = ["쓰", "그리"]
FROM_PLACE = ["빌리"]  # borrow from, not at, the library
ACTION_THEN_USE = ["사 읽", "사 먹", "사 마시", "빌리 읽", "만들 먹"]  # bought but did not read
MAKES_AVAILABLE = ["사", "빌리", "만들", "쓰"]  # the book that I bought …
USES = ["읽", "먹", "마시", "팔", "잃어버리"]  # … is then read
NOT_USED_AFTER = [("팔", "빌리")]  # nobody sells what he borrowed

# Objects that do not go with a negation or a tense, and objects that one may have instead of another.
OBJECTS_NOT_WITH = {"not": ["친구"], "present": ["물"], "future": ["물", "노래"]}
INTERCHANGEABLE_OBJECTS = [
    "커피 차 물 우유",
    "빵 김밥 케이크",
    "책 신문",
    "소설 신문",
    "편지 엽서",
    "모자 가방 우산",
    "한국어 영어",
    "버스 기차",
]

# Korean, plain | polite | English | pronoun
SUBJECTS = """
나|저|I|I
우리|우리|we|we
민수|민수|Minsu|he
유나|유나|Yuna|she
형|형|my older brother|he
누나|누나|my older sister|she
아이들|아이들|the children|they
친구들|친구들|my friends|they
"""
COMPANIONS = {
    "친구": "with a friend",
    "형": "with my older brother",
    "누나": "with my older sister",
    "민수": "with Minsu",
    "유나": "with Yuna",
}
INSTRUMENTS = {"펜": "with a pen", "연필": "with a pencil"}
TRANSPORT_IN_KOREA = {"버스": "by bus", "기차": "by train"}
TRANSPORT_ABROAD = {"비행기": "by plane"}
TRANSPORT_IN_TOWN = {"버스": "by bus", "지하철": "by subway", "자전거": "by bicycle"}

# Korean, English, whether it stands before the verb
TIMES = {
    "past": [("어제", "yesterday", 0), ("지난주에", "last week", 0), ("최근", "recently", 1)],
    "present": [("매일", "every day", 0), ("자주", "often", 1), ("주말마다", "every weekend", 0)],
    "future": [("내일", "tomorrow", 0), ("다음 주에", "next week", 0), ("곧", "soon", 1)],
}

# Korean | English, {} for the pronoun | verbs that follow | verbs that follow with "could not"
REASONS = """
배가 고파서|{} was hungry|먹|-
목이 말라서|{} was thirsty|마시|-
피곤해서|{} was tired|쉬|읽 쓰 가 산책하
바빠서|{} was busy|-|보 가 쉬
시간이 없어서|{} had no time|-|읽 보 쓰 가
비가 와서|it was raining|-|산책하 가
날씨가 좋아서|the weather was nice|찍 산책하|-
"""
